#include "protocol/http/event_stream.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::http {
namespace {

std::string write(const StreamEvent& event) {
    std::string text(event_bound(event), '\0');
    text.resize(write_event(event, text.data()));
    return text;
}

std::string comment(std::string_view of) {
    std::string text(comment_bound(of), '\0');
    text.resize(write_comment(of, text.data()));
    return text;
}

TEST(EventStream, OneLineOfData) {
    EXPECT_EQ(write({"hello", "", {}, {}}), "data: hello\n\n");
    EXPECT_EQ(write({"", "", {}, {}}), "data: \n\n");
    EXPECT_EQ(write({" x", "", {}, {}}), "data:  x\n\n");
}

TEST(EventStream, AllFields) {
    EXPECT_EQ(write({"d", "tick", "7", UINT32_MAX}), "event: tick\nid: 7\nretry: 4294967295\ndata: d\n\n");
    EXPECT_EQ(write({"d", "", "", 0}), "id: \nretry: 0\ndata: d\n\n");
}

TEST(EventStream, AnyLineEndMakesALine) {
    EXPECT_EQ(write({"a\nb\r\nc\rd\n\re\n", "", {}, {}}),
              "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: e\ndata: \n\n");
    EXPECT_EQ(write({"x\n\nevent: forged", "", {}, {}}), "data: x\ndata: \ndata: event: forged\n\n");
}

TEST(EventStream, Comments) {
    EXPECT_EQ(comment(""), ": \n\n");
    EXPECT_EQ(comment("a\ndata: b"), ": a\n: data: b\n\n");
}

TEST(EventStream, Lines) {
    EXPECT_TRUE(is_event_line("any: text"));
    for (const std::string_view bad :
         {std::string_view("\r"), std::string_view("\n"), std::string_view("a\0", 2)})
        EXPECT_FALSE(is_event_line(bad));
}

}  // namespace
}  // namespace sluice::http
