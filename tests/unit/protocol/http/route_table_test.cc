#include "protocol/http/route_table.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

constexpr int kNone = RouteTable::kNone;

int find(const RouteTable& table, std::string_view method, std::string_view path) {
    const Method known = method == "GET" ? Method::kGet : method == "HEAD" ? Method::kHead : Method::kOther;
    return table.find(known, method, path).route;
}

TEST(RouteTable, TextBeforeAParameterBeforeTheRest) {
    RouteTable table;
    EXPECT_EQ(table.add("GET", "/users/{id}", 1), kNone);
    EXPECT_EQ(table.add("GET", "/users/me", 2), kNone);
    EXPECT_EQ(table.add("GET", "/{path...}", 3), kNone);
    EXPECT_EQ(table.add("GET", "/users/{id}/posts", 4), kNone);
    EXPECT_EQ(table.add("GET", "/", 5), kNone);
    EXPECT_EQ(find(table, "GET", "/users/7"), 1);
    EXPECT_EQ(find(table, "GET", "/users/me"), 2);
    EXPECT_EQ(find(table, "GET", "/users/mine"), 1);
    EXPECT_EQ(find(table, "GET", "/users/me/posts"), 4)
        << "the search goes back from a branch that leads nowhere";
    EXPECT_EQ(find(table, "GET", "/users/7/posts"), 4);
    EXPECT_EQ(find(table, "GET", "/users/7/photos"), 3);
    EXPECT_EQ(find(table, "GET", "/users"), 3);
    EXPECT_EQ(find(table, "GET", "/users/"), 3) << "a parameter is not empty";
    EXPECT_EQ(find(table, "GET", "/"), 5);
    EXPECT_EQ(find(table, "GET", "*"), kNone);
    EXPECT_EQ(find(table, "GET", ""), kNone);
}

TEST(RouteTable, SegmentsAreComparedDecoded) {
    RouteTable table;
    table.add("GET", "/caf%C3%A9", 1);
    table.add("GET", "/users/{id}", 2);
    table.add("GET", "/a%2Fb", 3);
    EXPECT_EQ(find(table, "GET", "/c%61f%c3%a9"), 1);
    EXPECT_EQ(find(table, "GET", "/%75sers/7"), 2);
    EXPECT_EQ(find(table, "GET", "/users/a%2Fb"), 2) << "the slash is part of the segment";
    EXPECT_EQ(find(table, "GET", "/users%2F7"), kNone);
    EXPECT_EQ(find(table, "GET", "/a%2fb"), 3);
    EXPECT_EQ(find(table, "GET", "/a/b"), kNone);
}

TEST(RouteTable, DotSegmentsAreNoValues) {
    RouteTable table;
    table.add("GET", "/users/{id}", 1);
    table.add("GET", "/files/{path...}", 2);
    for (const char* path : {"/users/..", "/users/%2e%2E", "/users/.", "/files/..", "/files/a/../b",
                             "/files/a/.", "/files/%2e%2e/x", "/files/a%2F..%2Fb", "/files/a%2fb"}) {
        EXPECT_EQ(find(table, "GET", path), kNone) << path;
    }
    EXPECT_EQ(find(table, "GET", "/users/..."), 1);
    EXPECT_EQ(find(table, "GET", "/files/"), 2);
    EXPECT_EQ(find(table, "GET", "/files/a//b/"), 2);
    EXPECT_EQ(find(table, "GET", "/files"), kNone);
}

TEST(RouteTable, MethodsAndWhatIsAllowed) {
    RouteTable table;
    EXPECT_EQ(table.add("DELETE", "/users/{id}", 1), kNone);
    EXPECT_EQ(table.add("GET", "/users/{id}", 2), kNone);
    EXPECT_EQ(table.add("POST", "/users/me", 3), kNone);
    EXPECT_EQ(table.add("PURGE", "/users/me", 4), kNone);
    EXPECT_EQ(find(table, "HEAD", "/users/7"), 2) << "a route for GET takes HEAD";
    EXPECT_EQ(find(table, "get", "/users/7"), kNone) << "methods have a case";
    EXPECT_EQ(find(table, "GET", "/users/me"), 2)
        << "the route that has the method wins, though another one is more definite";
    EXPECT_EQ(find(table, "PURGE", "/users/me"), 4);
    EXPECT_EQ(find(table, "", "/users/me"), kNone);
    const RouteTable::Found other = table.find(Method::kPut, "PUT", "/users/7");
    EXPECT_EQ(other.route, kNone);
    EXPECT_TRUE(other.knows_path);
    EXPECT_FALSE(table.find(Method::kPut, "PUT", "/elsewhere").knows_path);
    EXPECT_EQ(table.allowed_methods("/users/7"), "GET, HEAD, DELETE, OPTIONS");
    EXPECT_EQ(table.allowed_methods("/users/me"), "GET, HEAD, POST, DELETE, PURGE, OPTIONS");
    EXPECT_EQ(table.allowed_methods("*"), "GET, HEAD, POST, DELETE, PURGE, OPTIONS");
    EXPECT_EQ(table.allowed_methods("/elsewhere"), "");
    EXPECT_EQ(table.add("HEAD", "/users/{id}", 5), kNone);
    EXPECT_EQ(table.add("OPTIONS", "/users/{id}", 6), kNone);
    EXPECT_EQ(find(table, "HEAD", "/users/7"), 5);
    EXPECT_EQ(table.allowed_methods("/users/7"), "GET, HEAD, DELETE, OPTIONS");
}

TEST(RouteTable, EveryMethod) {
    RouteTable table;
    table.add("", "/old/{path...}", 1);
    table.add("GET", "/old/{path...}", 2);
    EXPECT_EQ(find(table, "GET", "/old/x"), 2);
    EXPECT_EQ(find(table, "HEAD", "/old/x"), 2);
    EXPECT_EQ(find(table, "OPTIONS", "/old/x"), 1);
    EXPECT_EQ(find(table, "ANYTHING", "/old/x"), 1);
}

TEST(RouteTable, TheSamePathsTwice) {
    RouteTable table;
    EXPECT_EQ(table.add("GET", "/users/{id}", 1), kNone);
    EXPECT_EQ(table.add("GET", "/users/{name}", 2), 1) << "the pattern matches the paths of the first one";
    EXPECT_EQ(table.add("GET", "/%75sers/{id}", 2), 1);
    EXPECT_EQ(table.add("PUT", "/users/{name}", 2), kNone);
    EXPECT_EQ(table.add("GET", "/users/{path...}", 3), kNone);
    EXPECT_EQ(table.add("GET", "/users/{rest...}", 4), 3);
    EXPECT_EQ(find(table, "GET", "/users/7"), 1);
    EXPECT_EQ(find(table, "GET", "/users/7/8"), 3);
}

TEST(RouteTable, WebSocketsStandApart) {
    RouteTable table;
    EXPECT_EQ(table.add_websocket("/rooms/{id}", 1), kNone);
    EXPECT_EQ(table.add_websocket("/rooms/{name}", 2), 1);
    EXPECT_EQ(table.add_websocket("/rooms/lobby", 3), kNone);
    EXPECT_EQ(table.add("GET", "/rooms/{id}", 4), kNone);
    EXPECT_EQ(table.find_websocket("/rooms/7"), 1);
    EXPECT_EQ(table.find_websocket("/rooms/lobby"), 3);
    EXPECT_EQ(table.find_websocket("/rooms"), kNone);
    EXPECT_EQ(table.find_websocket(""), kNone);
    EXPECT_EQ(find(table, "GET", "/rooms/lobby"), 4);
    EXPECT_EQ(table.allowed_methods("/rooms/lobby"), "GET, HEAD, OPTIONS");
    RouteTable sockets_only;
    sockets_only.add_websocket("/chat", 1);
    EXPECT_FALSE(sockets_only.find(Method::kGet, "GET", "/chat").knows_path);
    EXPECT_EQ(sockets_only.allowed_methods("*"), "");
}

}  // namespace
}  // namespace sluice::http
