#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// The routes of one site: a tree of segments, in which a look-up takes time by the path's own length. Of
/// several patterns that match a path, the most specific one at the first differing segment counts: text
/// before a parameter, a parameter before the rest. A pattern without a route for the request's method is
/// passed over while another one has a route.
class RouteTable {
  public:
    static constexpr int kNone = -1;

    /// `method` is a token, or empty for every method. `pattern` has no fault. When a route for this method
    /// and for the same paths exists already, it stays and is returned; otherwise returns kNone.
    int add(std::string_view method, std::string_view pattern, uint16_t route);
    /// Adds a route of WebSockets; these are apart from those for methods.
    int add_websocket(std::string_view pattern, uint16_t route);

    struct Found {
        int route = kNone;
        bool knows_path = false;  ///< the path has routes for other methods
    };
    /// HEAD is answered by the route for GET unless it has one of its own (RFC 9110 9.3.2).
    Found find(Method method, std::string_view method_text, std::string_view path) const;
    int find_websocket(std::string_view path) const;

    /// The value of Allow for a path: the methods of its routes, and OPTIONS. For "*": the methods of all
    /// routes. Empty: the path has no route.
    std::string allowed_methods(std::string_view path) const;

  private:
    struct Target {
        std::string method;  ///< empty: every one
        uint16_t route;
    };
    /// The routes of one pattern.
    struct Place {
        std::vector<Target> targets;
        int websocket = kNone;

        int find(std::string_view method) const;
    };
    struct Node {
        std::vector<std::pair<std::string, std::unique_ptr<Node>>> texts;  ///< decoded, sorted
        std::unique_ptr<Node> parameter;
        std::unique_ptr<Place> end;
        std::unique_ptr<Place> rest;
    };

    Place& place_of(std::string_view pattern);
    template <typename Visit>
    static bool visit_matches(const Node& node, std::string_view path, const Visit& visit);
    template <typename Visit>
    static void visit_all(const Node& node, const Visit& visit);

    Node root_;
};

}  // namespace sluice::http
