#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::http {

/// The next segment of a path that has one, off its front: what stands between its first '/' and the next.
/// `rest` begins with that '/', and becomes empty with the last segment.
std::string_view take_segment(std::string_view& rest);

/// A segment without its percent-encoding; `room` keeps it if it had any. A "%2F" becomes a slash that is
/// part of the segment.
std::string_view decode_segment(std::string_view segment, std::string& room);

/// Whether a decoded segment is "." or "..": those have a meaning of their own (RFC 3986 3.3), and are no
/// value of a parameter.
bool is_dot_segment(std::string_view decoded);

/// What a segment of a pattern stands for.
struct PatternSegment {
    enum class Kind : uint8_t {
        kText,       ///< itself
        kParameter,  ///< `{name}`: any one segment that is not empty
        kRest,       ///< `{name...}`: all that follows, which may be nothing
    };
    Kind kind;
    std::string_view text;  ///< of a parameter, its name; else still encoded
};
/// Of a pattern without fault.
PatternSegment read_pattern_segment(std::string_view segment);

/// Why this is no pattern of paths, such as "/users/{id}" or "/files/{path...}": how a sentence goes on that
/// begins with its name. nullptr: it is one.
const char* find_pattern_fault(std::string_view pattern);
bool has_parameters(std::string_view pattern);

/// The parameters of a path that its pattern matches, in their order.
class RouteParameters {
  public:
    RouteParameters(std::string_view pattern, std::string_view path) : pattern_(pattern), path_(path) {}

    struct Parameter {
        std::string_view name;
        std::string_view value;  ///< still encoded
    };
    /// False when there is no further one.
    bool next(Parameter& parameter);

  private:
    std::string_view pattern_, path_;
};

}  // namespace sluice::http
