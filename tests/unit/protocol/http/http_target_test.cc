#include "protocol/http/http_target.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::http {
namespace {

struct Resolved {
    std::string text;
    RequestHead head;
    const char* reason = nullptr;

    std::string_view path() const { return head.path.in(text.data()); }
    std::string_view host() const { return head.host.in(text.data()); }
};

/// Resolves a target that stands in the middle of a head, as a protocol keeps it.
Resolved resolve(Method method, std::string_view target) {
    Resolved r;
    r.text = "1234567" + std::string(target);
    r.head.method = method;
    r.head.target = {7, static_cast<uint16_t>(target.size())};
    const size_t mark = r.text.find('?');
    if (mark != std::string::npos) {
        r.head.query = {static_cast<uint16_t>(mark + 1), static_cast<uint16_t>(r.text.size() - mark - 1)};
    }
    r.reason = resolve_target(r.text.data(), r.head);
    return r;
}

TEST(HttpTarget, Rfc9112_3_2_FourForms) {
    EXPECT_EQ(resolve(Method::kGet, "/a/b?c").path(), "/a/b");
    EXPECT_TRUE(resolve(Method::kGet, "/a/b?c").host().empty());
    EXPECT_EQ(resolve(Method::kGet, "https://h.test:1/a/b?c").path(), "/a/b");
    EXPECT_EQ(resolve(Method::kGet, "https://h.test:1/a/b?c").host(), "h.test:1");
    EXPECT_EQ(resolve(Method::kConnect, "h.test:1").host(), "h.test:1");
    EXPECT_EQ(resolve(Method::kOptions, "*").path(), "*");
}

TEST(HttpTarget, Rfc9110_4_2_3_AnEmptyPathIsTheRoot) {
    for (const char* target : {"http://h", "https://h", "http://h?q", "HTTP://h?/x"}) {
        const Resolved r = resolve(Method::kGet, target);
        EXPECT_EQ(r.reason, nullptr) << target;
        EXPECT_EQ(r.path(), "/") << target;
        EXPECT_EQ(r.host(), "h") << target;
    }
}

TEST(HttpTarget, WrongFormsHaveAReason) {
    for (const char* target : {"", "*", "x", "h:1", "http:", "http://", "http:///", "ws://h/", "http://u@h/",
                               "/%", "/%0", "/%x0", "/%00", "/%0A", "/a%0db"}) {
        EXPECT_NE(resolve(Method::kGet, target).reason, nullptr) << target;
    }
    EXPECT_NE(resolve(Method::kConnect, "/").reason, nullptr);
    EXPECT_NE(resolve(Method::kConnect, "h").reason, nullptr);
    EXPECT_EQ(resolve(Method::kGet, "/%01?%00%").reason, nullptr);
}

TEST(HttpTarget, Rfc3986_2_BytesOfPathAndQuery) {
    for (int i = 0; i < 256; ++i) {
        const char c = static_cast<char>(i);
        const bool visible = i > 0x20 && i < 0x7f;
        const bool never = std::string_view("\"#<>").find(c) != std::string_view::npos;
        const bool query_only = std::string_view("?{}`\\").find(c) != std::string_view::npos;
        EXPECT_EQ(is_query_byte(c), visible && !never) << i;
        EXPECT_EQ(is_path_byte(c), visible && !never && !query_only) << i;
    }
}

}  // namespace
}  // namespace sluice::http
