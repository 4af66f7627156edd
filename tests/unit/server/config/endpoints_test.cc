#include "server/config/endpoints.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

EndpointSpec http(std::string address) {
    return {EndpointKind::kHttp, std::move(address), "", {}, {}};
}
EndpointSpec route(std::string address, std::string path) {
    return {EndpointKind::kWebSocket, std::move(address), std::move(path), {}, {}};
}
EndpointSpec tcp_line(std::string address) {
    return {EndpointKind::kTcp, std::move(address), "", tcp::Framing::line("\n"), {}};
}
using Ids = std::vector<uint16_t>;

TEST(Endpoints, NumbersStayOverUpdates) {
    Endpoints endpoints;
    EXPECT_EQ(endpoints.update({http("a:1"), route("a:1", "/chat"), tcp_line("a:2")}), (Ids{0, 1, 2}));
    EXPECT_EQ(endpoints.update({tcp_line("a:2"), http("a:3"), http("a:1")}), (Ids{2, 3, 0}));
    EXPECT_EQ(endpoints.size(), 4u);
    EXPECT_TRUE(endpoints[0].active);
    EXPECT_FALSE(endpoints[1].active) << "the new boot does not name the route";
    EXPECT_EQ(endpoints[1].spec.path, "/chat") << "connections that came by the route still need it";
    EXPECT_EQ(endpoints.update({route("a:1", "/chat"), http("a:1")}), (Ids{1, 0}))
        << "a route that comes back has its old number";
    EXPECT_TRUE(endpoints[1].active);
    EXPECT_FALSE(endpoints[2].active);
}

TEST(Endpoints, KindAddressAndPathMakeOne) {
    Endpoints endpoints;
    EXPECT_EQ(endpoints.update(
                  {http("a:1"), tcp_line("a:1"), route("a:1", "/x"), route("a:1", "/y"), route("a:2", "/x")}),
              (Ids{0, 1, 2, 3, 4}));
    EndpointSpec changed = tcp_line("a:1");
    changed.framing = tcp::Framing::none();
    changed.dispatch = Dispatch::kSticky;
    EXPECT_EQ(endpoints.update({changed}), (Ids{1})) << "a route keeps its number when its options change";
    EXPECT_EQ(endpoints[1].spec.framing.kind, tcp::Framing::Kind::kNone);
    EXPECT_EQ(endpoints[1].spec.dispatch, Dispatch::kSticky);
}

TEST(Endpoints, WhatIsSharedDoesNotChange) {
    Endpoints endpoints;
    endpoints.update({tcp_line("a:1")});
    const auto shared = endpoints.share(0);
    EndpointSpec changed = tcp_line("a:1");
    changed.framing = tcp::Framing::none();
    endpoints.update({changed});
    endpoints.update({});
    EXPECT_TRUE(shared->active);
    EXPECT_EQ(shared->spec.framing.kind, tcp::Framing::Kind::kLine);
}

TEST(Endpoints, ACopyIsNotTouchedByUpdates) {
    Endpoints endpoints;
    endpoints.update({http("a:1")});
    const Endpoints copy = endpoints;
    endpoints.update({});
    EXPECT_TRUE(copy[0].active);
    EXPECT_FALSE(endpoints[0].active);
}

TEST(Endpoints, RoutesBelongToTheirListener) {
    Endpoints endpoints;
    endpoints.update(
        {http("a:1"), http("a:2"), route("a:1", "/chat"), route("a:2", "/chat"), route("a:2", "/news")});
    EXPECT_EQ(endpoints.websocket_route(0, "/chat"), 2);
    EXPECT_EQ(endpoints.websocket_route(1, "/chat"), 3);
    EXPECT_EQ(endpoints.websocket_route(1, "/news"), 4);
    EXPECT_EQ(endpoints.websocket_route(0, "/news"), Endpoints::kNone);
    EXPECT_EQ(endpoints.websocket_route(0, "/chat/"), Endpoints::kNone);
    EXPECT_EQ(endpoints.websocket_route(0, ""), Endpoints::kNone) << "the listener itself is no route";
    endpoints.update({http("a:1"), http("a:2")});
    EXPECT_EQ(endpoints.websocket_route(0, "/chat"), Endpoints::kNone) << "the route is not active any more";
}

int find(const Endpoints& endpoints, uint16_t listener, std::string_view method, std::string_view path) {
    return endpoints.http_route(listener, http::Method::kOther, method, path);
}

EndpointSpec route_for(std::string address, std::string method, std::string path) {
    EndpointSpec spec{EndpointKind::kHttp, std::move(address), std::move(path), {}, {}};
    spec.method = std::move(method);
    return spec;
}

TEST(Endpoints, RequestsGoToARouteOrToTheListenerOrNowhere) {
    Endpoints endpoints;
    EndpointSpec strict = http("a:2");
    strict.has_handler = false;
    EXPECT_EQ(endpoints.update({http("a:1"), strict, route_for("a:1", "GET", "/users/{id}"),
                                route_for("a:2", "GET", "/users/{id}"), route_for("a:2", "", "/any"),
                                route("a:2", "/any")}),
              (Ids{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(find(endpoints, 0, "GET", "/users/7"), 2);
    EXPECT_EQ(find(endpoints, 0, "PUT", "/users/7"), Endpoints::kNone)
        << "a path that a route has is not the listener's";
    EXPECT_EQ(find(endpoints, 0, "GET", "/any"), 0);
    EXPECT_EQ(find(endpoints, 1, "GET", "/users/7"), 3);
    EXPECT_EQ(find(endpoints, 1, "PUT", "/any"), 4);
    EXPECT_EQ(find(endpoints, 1, "GET", "/"), Endpoints::kNone);
    EXPECT_EQ(endpoints.allowed_methods(0, "/users/7"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(endpoints.allowed_methods(0, "/any"), "");
    EXPECT_EQ(endpoints.websocket_route(1, "/any"), 5);
    EXPECT_EQ(endpoints.update({http("a:1"), route_for("a:1", "PUT", "/users/{id}"), route("a:2", "/any")}),
              (Ids{0, 6, 5}))
        << "a method makes a route another one";
    EXPECT_EQ(find(endpoints, 0, "GET", "/users/7"), Endpoints::kNone);
    EXPECT_EQ(find(endpoints, 0, "PUT", "/users/7"), 6);
    EXPECT_EQ(endpoints.websocket_route(1, "/any"), Endpoints::kNone) << "the route's listener has gone";
}

TEST(Endpoints, WhatIsLongestInTheArena) {
    EndpointSpec spec = http("a:1");
    EXPECT_EQ(spec.longest_in_arena(1u << 30), 4u << 20) << "longer bodies are in files";
    EXPECT_EQ(spec.longest_in_arena(0), 16u << 20);
    spec.limits.http.body_bytes = 1000;
    EXPECT_EQ(spec.longest_in_arena(1u << 30), 1000u);
    EndpointSpec socket = route("a:1", "/chat");
    socket.limits.websocket.message_bytes = 7;
    EXPECT_EQ(socket.longest_in_arena(0), 7u);
    EndpointSpec lines = tcp_line("a:2");
    lines.framing.max_message_bytes = 9;
    EXPECT_EQ(lines.longest_in_arena(0), 9u);
}

TEST(Endpoints, NumbersAreFoundQuickly) {
    std::vector<EndpointSpec> specs{http("a:1")};
    for (int number = 0; number < 10'000; ++number)
        specs.push_back(route_for("a:1", "GET", "/r" + std::to_string(number) + "/{id}"));
    Endpoints endpoints;
    endpoints.update(specs);
    endpoints.update(specs);
    EXPECT_EQ(find(endpoints, 0, "GET", "/r9999/x"), 10'000);
}

}  // namespace
}  // namespace sluice
