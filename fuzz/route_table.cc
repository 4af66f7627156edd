// For any routes and any path, the table finds a route that matches, and finds one if any of them matches.
// Values of parameters lie within the path.
#include "protocol/http/route_table.h"

#include "fuzz_input.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/route_pattern.h"

using namespace sluice;
using http::PatternSegment;

namespace {

/// Whether a pattern matches a path, found out without the table's tree.
bool matches(std::string_view pattern, std::string_view path) {
    std::string room_a, room_b;
    while (!pattern.empty()) {
        const PatternSegment segment = http::read_pattern_segment(http::take_segment(pattern));
        if (path.empty()) return false;
        if (segment.kind == PatternSegment::Kind::kRest) {
            while (!path.empty()) {
                const std::string_view value = http::decode_segment(http::take_segment(path), room_a);
                if (http::is_dot_segment(value) || value.find('/') != value.npos) return false;
            }
            return true;
        }
        const std::string_view value = http::decode_segment(http::take_segment(path), room_a);
        if (segment.kind == PatternSegment::Kind::kText) {
            if (http::decode_segment(segment.text, room_b) != value) return false;
        } else if (value.empty() || http::is_dot_segment(value)) {
            return false;
        }
    }
    return path.empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    // The input has lines: patterns, then an empty line, then paths.
    fuzz::Input input(data, size);
    std::string_view rest = input.rest();
    http::RouteTable table;
    std::vector<std::string_view> patterns;
    bool are_paths = false;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty()) {
            are_paths = true;
        } else if (!are_paths) {
            if (http::find_pattern_fault(line)) continue;
            const uint16_t route = static_cast<uint16_t>(patterns.size());
            if (table.add("GET", line, route) == http::RouteTable::kNone) {
                fuzz::require(table.add_websocket(line, route) == http::RouteTable::kNone,
                              "a pattern is new for requests but known for WebSockets");
                patterns.push_back(line);
            }
        } else {
            fuzz::Block block(line);
            const std::string_view path(block.span().data(), block.span().size());
            const http::RouteTable::Found found = table.find(http::Method::kGet, "GET", path);
            fuzz::require(table.find_websocket(path) == found.route,
                          "requests and WebSockets find different routes");
            fuzz::require(path == "*" || table.allowed_methods(path).empty() == !found.knows_path,
                          "a path has methods but is not known, or is known without methods");
            fuzz::require(patterns.empty() == table.allowed_methods("*").empty(),
                          "* has methods but the table has no routes, or the other way round");
            fuzz::require(table.find(http::Method::kPut, "PUT", path).knows_path == found.knows_path,
                          "whether a path is known depends on the method");
            if (found.route == http::RouteTable::kNone) {
                for (std::string_view pattern : patterns)
                    fuzz::require(!path.starts_with('/') || !matches(pattern, path),
                                  "a route matches that was not found");
                continue;
            }
            const std::string_view pattern = patterns[static_cast<size_t>(found.route)];
            fuzz::require(matches(pattern, path), "the route that was found does not match");
            http::RouteParameters parameters(pattern, path);
            for (http::RouteParameters::Parameter each; parameters.next(each);) {
                fuzz::require(each.value.empty() ||
                                  (each.value.data() >= path.data() &&
                                   each.value.data() + each.value.size() <= path.data() + path.size()),
                              "a value lies outside the path");
            }
        }
    }
    return 0;
}
