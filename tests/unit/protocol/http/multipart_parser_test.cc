#include "protocol/http/multipart_parser.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace sluice::http {
namespace {

using Event = MultipartParser::Event;

struct Seen {
    std::string text;  ///< name|file|type|data, one line a part
    bool done = false;
    std::string error;
};

void feed(MultipartParser& parser, std::string_view input, Seen& seen) {
    // The copy is a heap block of exactly its size, so that the sanitiser sees a read past the end.
    const std::unique_ptr<char[]> copy(new char[input.size()]);
    input.copy(copy.get(), input.size());
    std::string_view rest(copy.get(), input.size());
    for (;;) {
        switch (parser.next(rest)) {
            case Event::kNeedInput: EXPECT_TRUE(rest.empty()); return;
            case Event::kPart: {
                const MultipartParser::Part& part = parser.part();
                seen.text +=
                    part.name + "|" + (part.is_file ? "file:" + part.file_name : "") + "|" + part.type + "|";
                break;
            }
            case Event::kData: seen.text += parser.data(); break;
            case Event::kPartEnd: seen.text += "\n"; break;
            case Event::kDone: seen.done = true; return;
            case Event::kError: seen.error = parser.error().reason; return;
        }
    }
}

/// Parses the body whole, split at every byte, and byte by byte; each way must give one result.
Seen parse(std::string_view body, const MultipartLimits& limits = {}) {
    Seen whole;
    {
        MultipartParser parser("XyZ", limits);
        feed(parser, body, whole);
        EXPECT_EQ(parser.done(), whole.done);
    }
    auto expect_same = [&](const Seen& seen, const char* how, size_t cut) {
        EXPECT_EQ(seen.error, whole.error) << how << cut;
        EXPECT_EQ(seen.done, whole.done) << how << cut;
        EXPECT_EQ(seen.text, whole.text) << how << cut;
    };
    for (size_t cut = 0; cut <= body.size(); ++cut) {
        MultipartParser parser("XyZ", limits);
        Seen seen;
        feed(parser, body.substr(0, cut), seen);
        if (seen.error.empty()) feed(parser, body.substr(cut), seen);
        expect_same(seen, "cut at ", cut);
    }
    MultipartParser parser("XyZ", limits);
    Seen seen;
    for (size_t i = 0; i < body.size() && seen.error.empty(); ++i)
        feed(parser, body.substr(i, 1), seen);
    expect_same(seen, "single bytes", 0);
    return whole;
}

std::string part(const std::string& parameters, const std::string& data, const std::string& more = "") {
    return "--XyZ\r\nContent-Disposition: form-data; " + parameters + "\r\n" + more + "\r\n" + data + "\r\n";
}
const std::string kEnd = "--XyZ--\r\n";

std::string error_of(std::string_view body) {
    const Seen seen = parse(body);
    EXPECT_FALSE(seen.done);
    return seen.error;
}

TEST(MultipartParser, GivesFieldsAndFiles) {
    const Seen seen =
        parse(part("name=\"a\"", "one") +
              part("name=\"up\"; filename=\"x.txt\"", "\r\ntwo\r\n", "Content-Type: text/csv\r\n") + kEnd);
    EXPECT_TRUE(seen.done);
    EXPECT_EQ(seen.text, "a||text/plain|one\nup|file:x.txt|text/csv|\r\ntwo\r\n\n");
}

TEST(MultipartParser, WholePartIsOnePiece) {
    const std::string body = part("name=a", "has \r\n--Xy and \r\r\n--XyY in it") + kEnd;
    MultipartParser parser("XyZ", {});
    std::string_view rest = body;
    EXPECT_EQ(parser.next(rest), Event::kPart);
    EXPECT_EQ(parser.next(rest), Event::kData);
    EXPECT_EQ(parser.data(), "has \r\n--Xy and \r\r\n--XyY in it");
    EXPECT_EQ(parser.next(rest), Event::kPartEnd);
    EXPECT_EQ(parser.next(rest), Event::kDone);
    EXPECT_TRUE(rest.empty());
}

TEST(MultipartParser, AlmostDelimitersAreData) {
    for (const char* data : {"\r\n--Xy", "\r\r\n--XyA", "\r\n\r\n--Xyz", "-", "\r", "\n--XyZ", "-XyZ",
                             "a\r\n-", "\r\n--X\r\n--Xy"}) {
        EXPECT_EQ(parse(part("name=a", data) + kEnd).text, std::string("a||text/plain|") + data + "\n");
    }
}

TEST(MultipartParser, EmptyPartMayShareTheLineEnd) {
    const Seen seen = parse(
        "--XyZ\r\nContent-Disposition: form-data; name=a\r\n\r\n--XyZ\r\n"
        "Content-Disposition: form-data; name=b\r\n\r\n\r\n--XyZ--");
    EXPECT_TRUE(seen.done);
    EXPECT_EQ(seen.text, "a||text/plain|\nb||text/plain|\n");
}

TEST(MultipartParser, PreamblePaddingAndEpilogueMeanNothing) {
    const Seen seen =
        parse("before --XyZ\r\n" + part("name=a", "1").insert(5, " \t ") + kEnd + "--XyZ\r\nbehind");
    EXPECT_TRUE(seen.done);
    EXPECT_EQ(seen.text, "a||text/plain|1\n");
}

TEST(MultipartParser, FormWithoutPartsIsDone) {
    const Seen seen = parse("--XyZ--");
    EXPECT_TRUE(seen.done);
    EXPECT_EQ(seen.text, "");
}

TEST(MultipartParser, QuotedNames) {
    EXPECT_EQ(parse(part(R"(name="a\"b\\c\d"; filename="C:\dir\f; x=\"y\".txt")", "") + kEnd).text,
              "a\"b\\c\\d|file:C:\\dir\\f; x=\"y\".txt|text/plain|\n");
    EXPECT_EQ(parse(part("NAME=token ; FileName=\"\";", "") + kEnd).text, "token|file:|text/plain|\n");
    EXPECT_EQ(parse(part("name=\"\xc3\xbc%22\"; filename*=utf-8''x", "v") + kEnd).text,
              "\xc3\xbc%22||text/plain|v\n");
}

TEST(MultipartParser, TruncatedFormIsNotDone) {
    const std::string body = part("name=a", "1") + "--XyZ--";
    for (size_t size = 0; size < body.size(); ++size) {
        MultipartParser parser("XyZ", {});
        Seen seen;
        feed(parser, std::string_view(body).substr(0, size), seen);
        EXPECT_FALSE(seen.done) << size;
        EXPECT_EQ(seen.error, "") << size;
    }
}

TEST(MultipartParser, MalformedIsRefused) {
    for (const char* tail : {"x", "-x", " x", "\n", "\r\r", "\rx"})
        EXPECT_EQ(error_of(std::string("--XyZ") + tail),
                  "a delimiter of the form is followed by neither a line end nor --");
    EXPECT_EQ(error_of("--XyZ\r\n\r\n"), "a part of the form has no Content-Disposition");
    EXPECT_EQ(error_of("--XyZ\r\nContent-Type: a/b\r\n\r\n"),
              "a part of the form has no Content-Disposition");
    EXPECT_EQ(error_of("--XyZ\r\nContent-Disposition: attachment; name=a\r\n\r\n"),
              "a part of the form has a Content-Disposition other than form-data");
    EXPECT_EQ(error_of(part("filename=a", "")), "a part of the form has no name");
    EXPECT_EQ(error_of(part("name=a; name=b", "")), "a part of the form has two names");
    EXPECT_EQ(error_of(part("name=a; filename=b; filename=c", "")), "a part of the form has two file names");
    EXPECT_EQ(error_of(part("name=a", "", "content-disposition: form-data; name=b\r\n")),
              "a part of the form has two Content-Dispositions");
    EXPECT_EQ(error_of(part("name=a", "", "Content-Type: a/b\r\nContent-Type: a/b\r\n")),
              "a part of the form has two Content-Types");
    EXPECT_EQ(error_of(part("name=a", "", "Content-Transfer-Encoding: base64\r\n")),
              "a part of the form has a Content-Transfer-Encoding other than 7bit, 8bit or binary");
    for (const char* bad :
         {"name=\"a", "name=", "name", "name=a b", "=a", "name =a", "name=\"a\"x", "name=\"a\\\""})
        EXPECT_EQ(error_of(part(bad, "")), "a part of the form has a malformed Content-Disposition") << bad;
    for (const char* bad : {" folded\r\n", "no colon\r\n", ": x\r\n", "a b: x\r\n"})
        EXPECT_EQ(error_of(part("name=a", "", bad)),
                  "a part of the form has a line in its head that is no field")
            << bad;
    for (const std::string& bad :
         {std::string("X: a\nb\r\n"), std::string("X: a\rb\r\n"), std::string("X: a\0b\r\n", 8)})
        EXPECT_EQ(error_of(part("name=a", "", bad)),
                  "a part of the form has a control character in its head");
}

TEST(MultipartParser, LimitsHoldExactly) {
    const std::string body = part("name=a", "1") + part("name=b", "2") + kEnd;
    const uint32_t head = sizeof("Content-Disposition: form-data; name=a\r\n\r\n") - 1;
    EXPECT_TRUE(parse(body, {2, head}).done);
    EXPECT_EQ(parse(body, {1, head}).error, "the form has more parts than the limit allows");
    EXPECT_EQ(parse(body, {2, head - 1}).error,
              "the head of a part of the form is longer than the limit allows");
    EXPECT_TRUE(parse(body, {2, head, body.size() - 2}).done);
    for (uint64_t limit = 0; limit < body.size() - 2; ++limit)
        EXPECT_EQ(parse(body, {2, head, limit}).error, "the form is longer than the limit for forms")
            << limit;
}

TEST(MultipartParser, Boundaries) {
    EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=abc"), "abc");
    EXPECT_EQ(multipart_boundary("multipart/form-data; charset=utf-8; BOUNDARY=\"a b:c\""), "a b:c");
    EXPECT_EQ(multipart_boundary("multipart/form-data;boundary=" + std::string(70, 'a')),
              std::string(70, 'a'));
    for (const std::string& bad :
         {std::string("multipart/form-data"), std::string("multipart/form-data; boundary="),
          std::string("multipart/form-data; boundary=\"\""),
          std::string("multipart/form-data; boundary=\"a \""),
          std::string("multipart/form-data; boundary=a; boundary=b"),
          std::string("multipart/form-data; boundary=\"a\"b"),
          std::string("multipart/form-data; boundary=\"a\\\"b\""),
          "multipart/form-data; boundary=" + std::string(71, 'a'), std::string("multipart/form-data; x")})
        EXPECT_EQ(multipart_boundary(bad), "") << bad;
}

TEST(MultipartParser, MediaTypes) {
    EXPECT_TRUE(is_media_type("Multipart/Form-Data ; boundary=x", "multipart/form-data"));
    EXPECT_FALSE(is_media_type("multipart/form-datax", "multipart/form-data"));
    EXPECT_FALSE(is_media_type("", "multipart/form-data"));
}

}  // namespace
}  // namespace sluice::http
