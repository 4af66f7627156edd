#include "protocol/http/conditions.h"

#include <algorithm>

#include "protocol/http/http_date.h"
#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

bool is_tag_byte(char c) {
    const uint8_t byte = static_cast<uint8_t>(c);
    return byte > 0x20 && byte != '"' && byte != 0x7f;
}

bool is_weak(std::string_view etag) {
    return etag.starts_with("W/");
}

std::string_view opaque_part(std::string_view etag) {
    return is_weak(etag) ? etag.substr(2) : etag;
}

enum class Comparison : uint8_t { kStrong, kWeak };  // RFC 9110 8.8.3.2

bool same_tag(std::string_view a, std::string_view b, Comparison comparison) {
    if (comparison == Comparison::kStrong && (is_weak(a) || is_weak(b))) return false;
    return opaque_part(a) == opaque_part(b);
}

/// Whether a list of entity tags, or `*`, has the current one. A malformed list ends at its fault.
bool list_matches(std::string_view list, std::string_view current, Comparison comparison) {
    if (list == "*") return true;
    if (current.empty()) return false;
    for (;;) {
        while (!list.empty() && (list.front() == ',' || list.front() == ' ' || list.front() == '\t'))
            list.remove_prefix(1);
        const size_t quote = is_weak(list) ? 2 : 0;
        if (list.size() <= quote || list[quote] != '"') return false;
        size_t end = quote + 1;
        while (end < list.size() && is_tag_byte(list[end]))
            ++end;
        if (end == list.size() || list[end] != '"') return false;
        if (same_tag(list.substr(0, end + 1), current, comparison)) return true;
        list.remove_prefix(end + 1);
    }
}

struct Conditions {
    std::span<const Field> fields;
    const char* text;

    bool has(std::string_view name) const {
        return std::any_of(fields.begin(), fields.end(),
                           [&](const Field& field) { return field.name.in(text) == name; });
    }
    bool matches(std::string_view name, std::string_view current, Comparison comparison) const {
        return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
            return field.name.in(text) == name && list_matches(field.value.in(text), current, comparison);
        });
    }
    /// The current tag that the field names; nothing when it names none.
    std::optional<std::string_view> match(std::string_view name, const Validators& current,
                                          Comparison comparison) const {
        for (const std::string_view tag : current.encoded_etags)
            if (matches(name, tag, comparison)) return tag;
        if (matches(name, current.etag, comparison)) return current.etag;
        return std::nullopt;
    }
    /// The date of a field; nothing when it is missing, malformed or came twice.
    std::optional<int64_t> date(std::string_view name) const {
        std::optional<int64_t> date;
        size_t count = 0;
        for (const Field& field : fields) {
            if (field.name.in(text) != name) continue;
            date = parse_date(field.value.in(text));
            ++count;
        }
        return count == 1 ? date : std::nullopt;
    }
};

}  // namespace

bool is_entity_tag(std::string_view tag) {
    return std::all_of(tag.begin(), tag.end(), is_tag_byte);
}

uint16_t evaluate_conditions(std::span<const Field> fields, const char* text, bool is_read,
                             const Validators& current, std::string_view* matched) {
    const Conditions conditions{fields, text};
    if (conditions.has("if-match")) {
        if (!conditions.match("if-match", current, Comparison::kStrong)) return 412;
    } else if (const auto date = conditions.date("if-unmodified-since"); date && current.last_modified_s) {
        if (*current.last_modified_s > *date) return 412;
    }
    if (conditions.has("if-none-match")) {
        if (const auto tag = conditions.match("if-none-match", current, Comparison::kWeak)) {
            if (matched) *matched = *tag;
            return is_read ? 304 : 412;
        }
    } else if (const auto date = conditions.date("if-modified-since");
               is_read && date && current.last_modified_s) {
        if (*current.last_modified_s <= *date) return 304;
    }
    return 0;
}

}  // namespace sluice::http
