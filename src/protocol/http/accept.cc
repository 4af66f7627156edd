#include "protocol/http/accept.h"

#include <algorithm>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

/// Cuts `text` at the first `mark` outside of quoted strings; returns what stands before it, and leaves the
/// rest in `text`.
std::string_view cut(std::string_view& text, char mark) {
    bool quoted = false;
    size_t end = 0;
    for (; end < text.size(); ++end) {
        if (quoted && text[end] == '\\') {
            ++end;
        } else if (text[end] == '"') {
            quoted = !quoted;
        } else if (text[end] == mark && !quoted) {
            break;
        }
    }
    end = std::min(end, text.size());
    const std::string_view first = trim_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
}

/// An element of a list: its name, its parameters, and its weight, which ends the parameters.
struct Range {
    std::string_view name;
    std::string_view parameters;
    std::optional<uint16_t> weight;
};

Range read_range(std::string_view element) {
    Range range;
    range.weight = 1000;
    range.name = cut(element, ';');
    range.parameters = element;
    const char* const begin = element.data();
    while (!element.empty()) {
        const char* const at = element.data();
        const std::string_view parameter = cut(element, ';');
        if (parameter.size() < 2 || to_lower(parameter[0]) != 'q' || parameter[1] != '=') continue;
        range.weight = read_weight(parameter.substr(2));
        range.parameters = {begin, static_cast<size_t>(at - begin)};
        break;
    }
    return range;
}

bool has_parameter(std::string_view parameters, std::string_view wanted) {
    while (!parameters.empty())
        if (equals_caseless(cut(parameters, ';'), wanted)) return true;
    return false;
}

/// How closely a media range fits a type; 0: not at all.
int closeness_of_type(const Range& range, std::string_view offered) {
    const std::string_view type = cut(offered, ';');
    if (range.name == "*/*") return 1;
    if (range.name.ends_with("/*")) {
        const std::string_view family = range.name.substr(0, range.name.size() - 1);
        return equals_caseless(family, type.substr(0, family.size())) ? 2 : 0;
    }
    if (!equals_caseless(range.name, type)) return 0;
    int closeness = 3;
    std::string_view parameters = range.parameters;
    while (!parameters.empty()) {
        const std::string_view wanted = cut(parameters, ';');
        if (wanted.empty()) continue;
        if (!has_parameter(offered, wanted)) return 0;
        ++closeness;
    }
    return closeness;
}

bool begins_with_tag(std::string_view tag, std::string_view prefix) {
    return tag.size() > prefix.size() && tag[prefix.size()] == '-' &&
           equals_caseless(tag.substr(0, prefix.size()), prefix);
}

int closeness_of_language(std::string_view range, std::string_view tag) {
    if (range == "*") return 1;
    if (equals_caseless(range, tag) || begins_with_tag(tag, range)) return 3 + static_cast<int>(range.size());
    return begins_with_tag(range, tag) ? 2 : 0;
}

bool is_type_range(std::string_view name) {
    const size_t slash = name.find('/');
    // `*` is a token, so this accepts all forms of a range, and `*/html`, which fits nothing.
    return slash != name.npos && is_token(name.substr(0, slash)) && is_token(name.substr(slash + 1));
}

}  // namespace

std::optional<uint16_t> read_weight(std::string_view text) {
    if (text.empty() || (text[0] != '0' && text[0] != '1') || text.size() > 5) return std::nullopt;
    if (text.size() > 1 && text[1] != '.') return std::nullopt;
    int weight = (text[0] - '0') * 1000, unit = 100;
    for (const char c : text.substr(std::min<size_t>(2, text.size()))) {
        if (!is_digit(c)) return std::nullopt;
        weight += (c - '0') * unit;
        unit /= 10;
    }
    if (weight > 1000) return std::nullopt;
    return static_cast<uint16_t>(weight);
}

bool is_media_type(std::string_view text) {
    const std::string_view name = cut(text, ';');
    return is_type_range(name) && name.find('*') == name.npos && is_field_value(text);
}

bool is_language_tag(std::string_view text) {
    for (;;) {
        const size_t hyphen = std::min(text.find('-'), text.size());
        if (hyphen < 1 || hyphen > 8) return false;
        for (const char c : text.substr(0, hyphen))
            if (!is_digit(c) && (to_lower(c) < 'a' || to_lower(c) > 'z')) return false;
        if (hyphen == text.size()) return true;
        text.remove_prefix(hyphen + 1);
    }
}

void Preference::note(int closeness, uint16_t weight) {
    is_told_ = true;
    // Of two ranges that fit equally closely, the greater weight counts.
    if (closeness == 0 || closeness < closeness_) return;
    weight_ = closeness == closeness_ ? std::max(weight_, weight) : weight;
    closeness_ = closeness;
}

void Preference::add_types(std::string_view list, std::string_view offered) {
    while (!list.empty()) {
        const Range range = read_range(cut(list, ','));
        if (range.weight && is_type_range(range.name)) note(closeness_of_type(range, offered), *range.weight);
    }
}

void Preference::add_languages(std::string_view list, std::string_view offered) {
    while (!list.empty()) {
        const Range range = read_range(cut(list, ','));
        if (range.weight && (range.name == "*" || is_language_tag(range.name)))
            note(closeness_of_language(range.name, offered), *range.weight);
    }
}

}  // namespace sluice::http
