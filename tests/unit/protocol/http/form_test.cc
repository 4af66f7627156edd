#include "protocol/http/form.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

std::string show(const Form& form) {
    std::string text;
    for (const FormField& field : form.fields) {
        text += field.name + "=";
        text += field.is_file
                    ? "<" + field.file_name + "," + field.type + "," + std::to_string(field.size) + ">"
                    : field.value;
        text += ";";
    }
    return form.error ? form.error.reason : text;
}

constexpr std::string_view kUrlencoded = "application/x-www-form-urlencoded; charset=UTF-8";

TEST(Form, Urlencoded) {
    EXPECT_EQ(show(read_form(kUrlencoded, "a=1&b=x+y%26z&&c&a=2&=n", {})), "a=1;b=x y&z;c=;a=2;=n;");
    EXPECT_EQ(show(read_form(kUrlencoded, "", {})), "");
    EXPECT_EQ(show(read_form(kUrlencoded, "a=1&b=2", {2, 1})), "a=1;b=2;");
    EXPECT_EQ(show(read_form(kUrlencoded, "a=1&b=2&c=3", {2, 1})),
              "the form has more fields than the limit allows");
}

TEST(Form, OtherTypesHaveNoFields) {
    EXPECT_EQ(show(read_form("text/plain", "a=1", {})), "");
    EXPECT_EQ(show(read_form("", "a=1", {})), "");
}

TEST(Form, MultipartPlacesFilesInTheBody) {
    const std::string body =
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"/etc/..\\x.bin\"\r\n"
        "Content-Type: image/png\r\n\r\n\r\n--\r\n--b\r\n"
        "Content-Disposition: form-data; name=\"v\"\r\n\r\nvalue\r\n--b\r\n"
        "Content-Disposition: form-data; name=\"none\"; filename=\"\"\r\n\r\n\r\n--b\r\n"
        "Content-Disposition: form-data; name=\"empty\"; filename=\"e\"\r\n\r\n\r\n--b--\r\n";
    const Form form = read_form("multipart/form-data; boundary=b", body, {});
    EXPECT_EQ(show(form), "f=<x.bin,image/png,4>;v=value;empty=<e,text/plain,0>;");
    EXPECT_EQ(body.substr(form.fields[0].begin, form.fields[0].size), "\r\n--");
}

TEST(Form, MalformedMultipart) {
    EXPECT_EQ(show(read_form("multipart/form-data", "--b--", {})),
              "the Content-Type of the form has no valid boundary");
    EXPECT_EQ(show(read_form("multipart/form-data; boundary=b", "", {})),
              "the form ends before its closing delimiter");
    EXPECT_EQ(show(read_form("multipart/form-data; boundary=b", "--b\r\n\r\n--b--", {})),
              "a part of the form has no Content-Disposition");
}

TEST(Form, MultipartInPiecesIsTheSameAsWhole) {
    const std::string type = "multipart/form-data; boundary=b";
    const std::string body =
        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\none\r\n-\r\n--\r\n--b\r\n"
        "Content-Disposition: form-data; name=\"v\"\r\n\r\nval\r\nue\r\n--b\r\n"
        "Content-Disposition: form-data; name=\"g\"; filename=\"y\"\r\n\r\n\r\n--b--\r\nrest";
    const Form whole = read_form(type, body, {});
    ASSERT_EQ(show(whole), "f=<x,text/plain,10>;v=val\r\nue;g=<y,text/plain,0>;");
    for (size_t cut = 1; cut <= body.size(); ++cut) {
        size_t at = 0;
        std::string piece;
        const Form form = read_form(type,
                                    [&]() -> std::string_view {
                                        piece = body.substr(at, cut);
                                        at += piece.size();
                                        return piece;
                                    },
                                    {});
        ASSERT_EQ(show(form), show(whole)) << cut;
        for (size_t i = 0; i < form.fields.size(); ++i)
            ASSERT_EQ(form.fields[i].begin, whole.fields[i].begin) << cut;
        ASSERT_EQ(body.substr(form.fields[0].begin, form.fields[0].size), "one\r\n-\r\n--") << cut;
    }
}

TEST(Form, WhatItsFieldsHoldIsBounded) {
    auto part = [](std::string_view head, size_t bytes) {
        return "--b\r\nContent-Disposition: form-data; " + std::string(head) + "\r\n\r\n" +
               std::string(bytes, 'x') + "\r\n";
    };
    const std::string type = "multipart/form-data; boundary=b";
    const FormLimits limits{10, 1000, 100};
    const std::string too_long = "the fields of the form are longer than the limit allows";
    EXPECT_EQ(read_form(type, part("name=abc", 97) + "--b--", limits).error.status, 0);
    EXPECT_EQ(show(read_form(type, part("name=abc", 98) + "--b--", limits)), too_long);
    EXPECT_EQ(show(read_form(type, part("name=a", 50) + part("name=a", 50) + "--b--", limits)), too_long);
    EXPECT_EQ(show(read_form(type, part("name=" + std::string(101, 'n'), 0) + "--b--", limits)), too_long);
    EXPECT_EQ(read_form(type, part("name=abc; filename=f", 100'000) + "--b--", limits).error.status, 0);
    EXPECT_EQ(read_form(kUrlencoded, "a=" + std::string(98, 'x'), limits).error.status, 0);
    EXPECT_EQ(show(read_form(kUrlencoded, "a=" + std::string(99, 'x'), limits)), too_long);
}

TEST(Form, AHundredThousandTinyParts) {
    constexpr uint32_t kParts = 100'000;
    std::string body;
    for (uint32_t i = 0; i < kParts; ++i)
        body += "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n";
    body += "--b--";
    const std::string type = "multipart/form-data; boundary=b";
    const Form form = read_form(type, body, {kParts});
    EXPECT_FALSE(form.error);
    EXPECT_EQ(form.fields.size(), kParts);
    EXPECT_EQ(read_form(type, body, {kParts - 1}).error.status, 400);
    size_t at = 0;
    const Form in_bytes = read_form(
        type, [&] { return std::string_view(body).substr(std::min(at++, body.size()), 1); }, {kParts});
    EXPECT_EQ(in_bytes.fields.size(), kParts);
    std::string pairs;
    for (uint32_t i = 0; i < kParts; ++i)
        pairs += "a=&";
    EXPECT_EQ(read_form(kUrlencoded, pairs, {kParts}).fields.size(), kParts);
    EXPECT_EQ(read_form(kUrlencoded, pairs, {kParts - 1}).error.status, 400);
}

}  // namespace
}  // namespace sluice::http
