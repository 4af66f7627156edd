#include "protocol/http/error_page.h"

#include <gtest/gtest.h>
#include <vector>

namespace sluice::http {
namespace {

/// The format that a request with these Accept fields gets.
ErrorFormat wanted(const std::vector<std::string>& accept) {
    std::string text = "acceptx-other";
    std::vector<Field> fields{{{6, 7}, {0, 6}}};
    for (const std::string& list : accept) {
        fields.push_back({{0, 6}, {static_cast<uint16_t>(text.size()), static_cast<uint16_t>(list.size())}});
        text += list;
    }
    return wanted_format(fields, text.data());
}

TEST(ErrorPage, TheMostWantedFormatIsTaken) {
    constexpr ErrorFormat kAny = ErrorFormat::kAny, kText = ErrorFormat::kText, kHtml = ErrorFormat::kHtml,
                          kJson = ErrorFormat::kJson;
    const struct {
        std::vector<std::string> accept;
        ErrorFormat format;
    } cases[] = {
        {{}, kAny},
        {{""}, kAny},
        {{"*/*"}, kAny},
        {{"text/*, application/*"}, kAny},
        {{"image/avif,image/webp,*/*;q=0.8"}, kAny},
        {{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}, kHtml},
        {{"application/json, text/plain, */*"}, kJson},
        {{"text/plain, application/json"}, kText},
        {{"application/problem+json"}, kJson},
        {{"text/html;q=0.4, application/json;q=0.5"}, kJson},
        {{"text/html;level=1;q=0.4 , application/json ; q=0.3"}, kHtml},
        {{"text/html;q=0, */*"}, kAny},
        {{"text/html;q=broken"}, kAny},
        {{"TEXT/HTML"}, kHtml},
        {{"text/htmlx, text/htm"}, kAny},
        {{"image/png", "application/json"}, kJson},
        {{"application/json;q=0.5", "text/html"}, kHtml},
        {{",,;q=1,text/html,"}, kHtml},
    };
    for (const auto& [accept, format] : cases)
        EXPECT_EQ(wanted(accept), format) << (accept.empty() ? "none" : accept[0]);
}

TEST(ErrorPage, TheServerHasPagesOfItsOwn) {
    ErrorPage page = make_error_page(nullptr, ErrorFormat::kAny, {404, "this site has no such path", 7});
    EXPECT_EQ(page.fields, "content-type: text/plain; charset=utf-8\r\nvary: accept\r\n");
    EXPECT_EQ(page.body, "404 Not Found: this site has no such path\n");
    EXPECT_EQ(make_error_page(nullptr, ErrorFormat::kText, {500, "", 7}).body, "500 Internal Server Error\n");

    page = make_error_page(nullptr, ErrorFormat::kJson, {404, "no \"such\\path\"\n", 7});
    EXPECT_EQ(page.fields, "content-type: application/problem+json\r\nvary: accept\r\n");
    EXPECT_EQ(page.body,
              "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
              "\"detail\":\"no \\\"such\\\\path\\\"\\u000a\"}\n");
    EXPECT_EQ(make_error_page(nullptr, ErrorFormat::kJson, {499, "", 7}).body,
              "{\"type\":\"about:blank\",\"title\":\"Client Error\",\"status\":499}\n");

    page = make_error_page(nullptr, ErrorFormat::kHtml, {405, "this path takes <GET>", 7});
    EXPECT_EQ(page.fields, "content-type: text/html; charset=utf-8\r\nvary: accept\r\n");
    EXPECT_NE(page.body.find("<title>405 Method Not Allowed</title>"), page.body.npos);
    EXPECT_NE(page.body.find("<p>This path takes &lt;GET&gt;.</p>"), page.body.npos);
    EXPECT_EQ(make_error_page(nullptr, ErrorFormat::kHtml, {500, "", 7}).body.find("<p>"), std::string::npos);
}

TEST(ErrorPage, WhatIsNotUtf8IsLeftOut) {
    for (const ErrorFormat format : {ErrorFormat::kText, ErrorFormat::kHtml, ErrorFormat::kJson})
        EXPECT_EQ(make_error_page(nullptr, format, {400, "\xff", 7}).body,
                  make_error_page(nullptr, format, {400, "", 7}).body);
}

TEST(ErrorPage, ASiteHasPagesOfItsOwn) {
    ErrorPages pages;
    pages.html = {{404, "<p>{status} {reason} {detail} {other} {"}, {0, "<p>others: {status}"}};
    pages.json = {{503, "{\"code\":{status},\"text\":\"{detail}\"}"}};
    const auto body = [&](ErrorFormat format, uint16_t status) {
        return make_error_page(&pages, format, {status, "it's {status} & so", 7}).body;
    };
    EXPECT_EQ(body(ErrorFormat::kHtml, 404), "<p>404 Not Found It&#39;s {status} &amp; so. {other} {");
    EXPECT_EQ(body(ErrorFormat::kHtml, 500), "<p>others: 500");
    EXPECT_EQ(body(ErrorFormat::kJson, 503), "{\"code\":503,\"text\":\"it's {status} & so\"}");
    EXPECT_EQ(body(ErrorFormat::kJson, 404).substr(0, 24), "{\"type\":\"about:blank\",\"t")
        << "status 404 has no JSON page of its own";
    EXPECT_EQ(body(ErrorFormat::kAny, 404).substr(0, 14), "404 Not Found:");
    pages.otherwise = ErrorFormat::kHtml;
    EXPECT_EQ(body(ErrorFormat::kAny, 500), "<p>others: 500");
    EXPECT_EQ(body(ErrorFormat::kText, 500).substr(0, 4), "500 ");
}

TEST(ErrorPage, APageOfOnesOwnMayNameTheRequest) {
    ErrorPages pages;
    pages.html = {{0, "<p>{request}, {status}"}};
    pages.json = {{0, "{\"request\":{request}}"}};
    EXPECT_EQ(make_error_page(&pages, ErrorFormat::kHtml, {404, "", 12}).body, "<p>12, 404");
    EXPECT_EQ(make_error_page(&pages, ErrorFormat::kJson, {404, "", 12}).body, "{\"request\":12}");
}

}  // namespace
}  // namespace sluice::http
