#include "protocol/http/route_pattern.h"

#include <algorithm>
#include <vector>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr std::string_view kRestMark = "...";

bool is_name(std::string_view text) {
    const auto is_letter = [](char c) { return c == '_' || (to_lower(c) >= 'a' && to_lower(c) <= 'z'); };
    return !text.empty() && is_letter(text[0]) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_encoded_well(std::string_view text) {
    for (size_t percent = text.find('%'); percent != text.npos; percent = text.find('%', percent + 1)) {
        if (text.size() - percent < 3 || hex_value(text[percent + 1]) < 0 || hex_value(text[percent + 2]) < 0)
            return false;
    }
    return true;
}

/// The fault of one segment by itself; nullptr: none.
const char* find_segment_fault(std::string_view segment, bool is_last) {
    if (segment.find_first_of("{}") == segment.npos) {
        std::string room;
        if (!is_encoded_well(segment)) return "must have two hexadecimal digits after each \"%\"";
        if (is_dot_segment(decode_segment(segment, room)))
            return "must not have \".\" or \"..\" for a segment";
        return nullptr;
    }
    if (segment[0] != '{' || segment.find_first_of("{}", 1) != segment.size() - 1)
        return "must have a parameter for a whole segment, as in \"/users/{id}\"";
    const PatternSegment parameter = read_pattern_segment(segment);
    if (!is_name(parameter.text))
        return "must name each parameter with letters, digits and \"_\", no digit first";
    if (parameter.kind == PatternSegment::Kind::kRest && !is_last)
        return "must have \"{name...}\", which takes all that follows, at its end only";
    return nullptr;
}

}  // namespace

std::string_view take_segment(std::string_view& rest) {
    const size_t end = std::min(rest.find('/', 1), rest.size());
    const std::string_view segment = rest.substr(1, end - 1);
    rest.remove_prefix(end);
    return segment;
}

std::string_view decode_segment(std::string_view segment, std::string& room) {
    if (!needs_decoding(segment, Plus::kLiteral)) return segment;
    room.resize(segment.size());
    room.resize(percent_decode(segment, Plus::kLiteral, room.data()));
    return room;
}

bool is_dot_segment(std::string_view decoded) {
    return decoded == "." || decoded == "..";
}

PatternSegment read_pattern_segment(std::string_view segment) {
    if (!segment.starts_with('{')) return {PatternSegment::Kind::kText, segment};
    segment = segment.substr(1, segment.size() - 2);
    if (!segment.ends_with(kRestMark)) return {PatternSegment::Kind::kParameter, segment};
    segment.remove_suffix(kRestMark.size());
    return {PatternSegment::Kind::kRest, segment};
}

const char* find_pattern_fault(std::string_view pattern) {
    if (!pattern.starts_with('/')) return "must start with \"/\"";
    if (pattern.find_first_of("?#") != pattern.npos) return "must be a path without \"?\" and \"#\"";
    if (std::any_of(pattern.begin(), pattern.end(), [](char c) { return c <= 0x20 || c >= 0x7f; }))
        return "must hold printable ASCII only, others percent-encoded";
    std::vector<std::string_view> names;
    while (!pattern.empty()) {
        const std::string_view segment = take_segment(pattern);
        if (const char* fault = find_segment_fault(segment, pattern.empty())) return fault;
        const PatternSegment read = read_pattern_segment(segment);
        if (read.kind == PatternSegment::Kind::kText) continue;
        if (std::find(names.begin(), names.end(), read.text) != names.end())
            return "must name each parameter once only";
        names.push_back(read.text);
    }
    return nullptr;
}

bool has_parameters(std::string_view pattern) {
    return pattern.find('{') != pattern.npos;
}

bool RouteParameters::next(Parameter& parameter) {
    while (!pattern_.empty() && !path_.empty()) {
        const PatternSegment segment = read_pattern_segment(take_segment(pattern_));
        if (segment.kind == PatternSegment::Kind::kRest) {
            parameter = {segment.text, path_.substr(1)};
            path_ = {};
            return true;
        }
        const std::string_view value = take_segment(path_);
        if (segment.kind == PatternSegment::Kind::kParameter) {
            parameter = {segment.text, value};
            return true;
        }
    }
    return false;
}

}  // namespace sluice::http
