#include "protocol/form.h"

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

}  // namespace
}  // namespace sluice::http
