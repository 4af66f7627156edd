#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::http {

/// Takes the next segment off a non-empty path: the text between its first '/' and the next. `rest` begins
/// with a '/', and becomes empty with the last segment.
std::string_view take_segment(std::string_view& rest);

/// Undoes a segment's percent-encoding; `room` keeps the result when there was any. A "%2F" becomes a slash
/// within the segment.
std::string_view decode_segment(std::string_view segment, std::string& room);

/// Whether a decoded segment is "." or "..": these have a special meaning (RFC 3986 3.3), and are no value of
/// a parameter.
bool is_dot_segment(std::string_view decoded);

/// What a segment of a pattern stands for.
struct PatternSegment {
    enum class Kind : uint8_t {
        kText,       ///< itself
        kParameter,  ///< `{name}`: any one segment that is not empty
        kRest,       ///< `{name...}`: the rest of the path, which may be empty
    };
    Kind kind;
    std::string_view text;  ///< of a parameter: its name; of kText: still encoded
};
/// Requires a pattern without fault.
PatternSegment read_pattern_segment(std::string_view segment);

/// Why this is no pattern of paths, such as "/users/{id}" or "/files/{path...}": the rest of a sentence that
/// begins with the pattern's name. nullptr: it is valid.
const char* find_pattern_fault(std::string_view pattern);
bool has_parameters(std::string_view pattern);

/// The parameters of a path that matches a pattern, in their order.
class RouteParameters {
  public:
    RouteParameters(std::string_view pattern, std::string_view path) : pattern_(pattern), path_(path) {}

    struct Parameter {
        std::string_view name;
        std::string_view value;  ///< still encoded
    };
    /// False when there are no more.
    bool next(Parameter& parameter);

  private:
    std::string_view pattern_, path_;
};

}  // namespace sluice::http
