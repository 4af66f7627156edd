#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// The routes of one site, by their patterns: a tree of segments, in which a path finds its way in the time
/// that its own length takes. Of several patterns that match a path, that one counts which is the most
/// definite at the first segment where they differ: text before a parameter, a parameter before the rest. One
/// that is not for the request's method counts only when no other is.
class RouteTable {
  public:
    static constexpr int kNone = -1;

    /// `method` is a token, or empty for every method. `pattern` has no fault. When there is a route for this
    /// method already that matches the same paths, that one stays, and is returned; otherwise kNone is.
    int add(std::string_view method, std::string_view pattern, uint16_t route);
    /// Apart from those for methods.
    int add_websocket(std::string_view pattern, uint16_t route);

    struct Found {
        int route = kNone;
        bool knows_path = false;  ///< there are routes for other methods
    };
    /// HEAD is answered by the route for GET unless it has one of its own (RFC 9110 9.3.2).
    Found find(Method method, std::string_view method_text, std::string_view path) const;
    int find_websocket(std::string_view path) const;

    /// The methods that there are routes for at a path, as the Allow field has them; OPTIONS among them. Of
    /// "*", those of all routes. Empty: none.
    std::string allowed_methods(std::string_view path) const;

  private:
    struct Target {
        std::string method;  ///< empty: every one
        uint16_t route;
    };
    /// What stands at the end of a pattern.
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
