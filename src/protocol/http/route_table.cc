#include "protocol/http/route_table.h"

#include <algorithm>
#include <array>

#include "protocol/http/http_syntax.h"
#include "protocol/http/route_pattern.h"

namespace sluice::http {

namespace {

constexpr auto kByText = [](const auto& entry, std::string_view text) { return entry.first < text; };

/// Whether "{path...}" may take this: no dot segments and no encoded slashes, so that appended to a folder it
/// stays below that folder.
bool may_be_rest(std::string_view path) {
    std::string room;
    while (!path.empty()) {
        const std::string_view segment = decode_segment(take_segment(path), room);
        if (is_dot_segment(segment) || segment.find('/') != segment.npos) return false;
    }
    return true;
}

/// Each method once: first those of `kFirst`, then the others in their order.
std::string join_methods(std::vector<std::string_view> methods) {
    static constexpr std::array<std::string_view, 6> kFirst = {"GET", "HEAD",  "POST",
                                                               "PUT", "PATCH", "DELETE"};
    const auto rank = [](std::string_view method) {
        return std::find(kFirst.begin(), kFirst.end(), method) - kFirst.begin();
    };
    std::stable_sort(methods.begin(), methods.end(),
                     [&](std::string_view a, std::string_view b) { return rank(a) < rank(b); });
    std::string list;
    for (auto method = methods.begin(); method != methods.end(); ++method) {
        if (std::find(methods.begin(), method, *method) != method) continue;
        if (!list.empty()) list += ", ";
        list += *method;
    }
    return list;
}

}  // namespace

int RouteTable::Place::find(std::string_view method) const {
    for (const Target& target : targets) {
        if (target.method == method) return target.route;
    }
    return kNone;
}

RouteTable::Place& RouteTable::place_of(std::string_view pattern) {
    Node* node = &root_;
    std::string room;
    while (!pattern.empty()) {
        const PatternSegment segment = read_pattern_segment(take_segment(pattern));
        std::unique_ptr<Node>* next = &node->parameter;
        if (segment.kind == PatternSegment::Kind::kRest) {
            if (!node->rest) node->rest = std::make_unique<Place>();
            return *node->rest;
        }
        if (segment.kind == PatternSegment::Kind::kText) {
            const std::string_view text = decode_segment(segment.text, room);
            auto found = std::lower_bound(node->texts.begin(), node->texts.end(), text, kByText);
            if (found == node->texts.end() || found->first != text)
                found = node->texts.emplace(found, std::string(text), nullptr);
            next = &found->second;
        }
        if (!*next) *next = std::make_unique<Node>();
        node = next->get();
    }
    if (!node->end) node->end = std::make_unique<Place>();
    return *node->end;
}

int RouteTable::add(std::string_view method, std::string_view pattern, uint16_t route) {
    Place& place = place_of(pattern);
    for (const Target& target : place.targets) {
        if (target.method == method) return target.route;
    }
    place.targets.push_back({std::string(method), route});
    return kNone;
}

int RouteTable::add_websocket(std::string_view pattern, uint16_t route) {
    Place& place = place_of(pattern);
    if (place.websocket != kNone) return place.websocket;
    place.websocket = route;
    return kNone;
}

/// Visits the places whose patterns match, the most specific first, until `visit` returns true. It is a tree,
/// so each node is visited once at most.
template <typename Visit>
bool RouteTable::visit_matches(const Node& node, std::string_view path, const Visit& visit) {
    if (path.empty()) return node.end && visit(*node.end);
    std::string_view behind = path;
    std::string room;
    const std::string_view segment = decode_segment(take_segment(behind), room);
    const auto text = std::lower_bound(node.texts.begin(), node.texts.end(), segment, kByText);
    if (text != node.texts.end() && text->first == segment && visit_matches(*text->second, behind, visit))
        return true;
    if (node.parameter && !segment.empty() && !is_dot_segment(segment) &&
        visit_matches(*node.parameter, behind, visit)) {
        return true;
    }
    return node.rest && may_be_rest(path) && visit(*node.rest);
}

template <typename Visit>
void RouteTable::visit_all(const Node& node, const Visit& visit) {
    if (node.end) visit(*node.end);
    if (node.rest) visit(*node.rest);
    for (const auto& [text, next] : node.texts)
        visit_all(*next, visit);
    if (node.parameter) visit_all(*node.parameter, visit);
}

RouteTable::Found RouteTable::find(Method method, std::string_view method_text, std::string_view path) const {
    Found found;
    if (!path.starts_with('/')) return found;
    visit_matches(root_, path, [&](const Place& place) {
        if (place.targets.empty()) return false;
        found.knows_path = true;
        found.route = place.find(method_text);
        if (method == Method::kHead && found.route == kNone) found.route = place.find("GET");
        if (found.route == kNone) found.route = place.find({});
        return found.route != kNone;
    });
    return found;
}

int RouteTable::find_websocket(std::string_view path) const {
    int route = kNone;
    if (!path.starts_with('/')) return route;
    visit_matches(root_, path, [&](const Place& place) {
        route = place.websocket;
        return route != kNone;
    });
    return route;
}

std::string RouteTable::allowed_methods(std::string_view path) const {
    std::vector<std::string_view> methods;
    const auto note = [&](const Place& place) {
        for (const Target& target : place.targets) {
            if (!target.method.empty()) methods.push_back(target.method);
            if (target.method == "GET") methods.push_back("HEAD");
        }
        return false;
    };
    if (path == "*") {
        visit_all(root_, note);
    } else if (path.starts_with('/')) {
        visit_matches(root_, path, note);
    }
    if (!methods.empty()) methods.push_back("OPTIONS");
    return join_methods(std::move(methods));
}

}  // namespace sluice::http
