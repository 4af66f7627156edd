#include "protocol/http/route_pattern.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::http {
namespace {

std::string fault(std::string_view pattern) {
    const char* found = find_pattern_fault(pattern);
    return found ? found : "";
}

std::string parameters(std::string_view pattern, std::string_view path) {
    std::string all;
    RouteParameters parameters(pattern, path);
    for (RouteParameters::Parameter each; parameters.next(each);)
        all.append(each.name).append("=").append(each.value).append(";");
    return all;
}

TEST(RoutePattern, SegmentsAreTakenOffTheFront) {
    std::string_view path = "/a//b/";
    EXPECT_EQ(take_segment(path), "a");
    EXPECT_EQ(take_segment(path), "");
    EXPECT_EQ(take_segment(path), "b");
    EXPECT_EQ(path, "/");
    EXPECT_EQ(take_segment(path), "");
    EXPECT_EQ(path, "");
}

TEST(RoutePattern, ASegmentIsDecodedByItself) {
    std::string room;
    EXPECT_EQ(decode_segment("plain+", room), "plain+");
    EXPECT_EQ(decode_segment("a%2Fb%20c", room), "a/b c");
    EXPECT_TRUE(is_dot_segment(decode_segment("%2e%2E", room)));
    EXPECT_FALSE(is_dot_segment(decode_segment("...", room)));
}

TEST(RoutePattern, WhatIsAPattern) {
    for (const char* pattern : {"/", "/a", "/a/", "//", "/users/{id}", "/users/{id}/posts/{post_2}",
                                "/{path...}", "/files/{_rest...}", "/caf%C3%A9", "/a.b/..."}) {
        EXPECT_EQ(fault(pattern), "") << pattern;
    }
    for (const char* pattern : {"", "a", "{id}", "*"})
        EXPECT_EQ(fault(pattern), "must start with \"/\"") << pattern;
    for (const char* pattern : {"/a?b", "/a#b"})
        EXPECT_EQ(fault(pattern), "must be a path without \"?\" and \"#\"") << pattern;
    for (const char* pattern : {"/a b", "/caf\xc3\xa9", "/a\n"})
        EXPECT_EQ(fault(pattern), "must hold printable ASCII only, others percent-encoded") << pattern;
    for (const char* pattern : {"/%", "/%2", "/a%zz/b"})
        EXPECT_EQ(fault(pattern), "must have two hexadecimal digits after each \"%\"") << pattern;
    for (const char* pattern : {"/.", "/a/../b", "/%2e."})
        EXPECT_EQ(fault(pattern), "must not have \".\" or \"..\" for a segment") << pattern;
    for (const char* pattern : {"/a{id}", "/{id}.json", "/{a}{b}", "/}", "/{", "/{{a}}", "/{a"}) {
        EXPECT_EQ(fault(pattern), "must have a parameter for a whole segment, as in \"/users/{id}\"")
            << pattern;
    }
    for (const char* pattern : {"/{}", "/{...}", "/{1a}", "/{a-b}", "/{a:b}", "/{a....}"}) {
        EXPECT_EQ(fault(pattern), "must name each parameter with letters, digits and \"_\", no digit first")
            << pattern;
    }
    for (const char* pattern : {"/{a...}/b", "/{a...}/"}) {
        EXPECT_EQ(fault(pattern), "must have \"{name...}\", which takes all that follows, at its end only")
            << pattern;
    }
    EXPECT_EQ(fault("/{a}/b/{a}"), "must name each parameter once only");
    EXPECT_EQ(fault("/{a}/{a...}"), "must name each parameter once only");
}

TEST(RoutePattern, ParametersAreFoundInThePath) {
    EXPECT_EQ(parameters("/users", "/users"), "");
    EXPECT_EQ(parameters("/users/{id}", "/users/7"), "id=7;");
    EXPECT_EQ(parameters("/users/{id}/posts/{post}", "/users/a%2Fb/posts/x"), "id=a%2Fb;post=x;");
    EXPECT_EQ(parameters("/files/{path...}", "/files/a/b/"), "path=a/b/;");
    EXPECT_EQ(parameters("/files/{path...}", "/files/"), "path=;");
    EXPECT_EQ(parameters("/{a}/{b...}", "/x/y//z"), "a=x;b=y//z;");
    EXPECT_TRUE(has_parameters("/{a}"));
    EXPECT_FALSE(has_parameters("/a"));
}

}  // namespace
}  // namespace sluice::http
