#include "protocol/http/event_stream.h"

#include <charconv>
#include <cstring>

namespace sluice::http {

namespace {

constexpr size_t kRetryBound = sizeof("retry: 4294967295\n");

char* put(char* out, std::string_view text) {
    if (!text.empty()) memcpy(out, text.data(), text.size());
    return out + text.size();
}

char* put_line(char* out, std::string_view name, std::string_view value) {
    return put(put(put(out, name), value), "\n");
}

/// Writes a "name: line" for each line of `text`, also for an empty one.
char* put_lines(char* out, std::string_view name, std::string_view text) {
    for (;;) {
        const size_t end = text.find_first_of("\r\n");
        out = put_line(out, name, text.substr(0, end));
        if (end == text.npos) return out;
        text.remove_prefix(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
    }
}

/// The worst case: each byte is a line end.
size_t lines_bound(std::string_view name, std::string_view text) {
    size_t lines = 1;
    for (const char c : text)
        lines += c == '\r' || c == '\n';
    return text.size() + lines * (name.size() + 1);
}

}  // namespace

bool is_event_line(std::string_view text) {
    return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

size_t event_bound(const StreamEvent& event) {
    return lines_bound("data: ", event.data) + event.type.size() + sizeof("event: \n") +
           event.id.value_or("").size() + sizeof("id: \n") + kRetryBound + 1;
}

size_t write_event(const StreamEvent& event, char* out) {
    char* end = out;
    if (!event.type.empty()) end = put_line(end, "event: ", event.type);
    if (event.id) end = put_line(end, "id: ", *event.id);
    if (event.retry_ms) {
        end = put(end, "retry: ");
        end = std::to_chars(end, end + 10, *event.retry_ms).ptr;
        *end++ = '\n';
    }
    end = put_lines(end, "data: ", event.data);
    *end++ = '\n';
    return static_cast<size_t>(end - out);
}

size_t comment_bound(std::string_view text) {
    return lines_bound(": ", text) + 1;
}

size_t write_comment(std::string_view text, char* out) {
    char* end = put_lines(out, ": ", text);
    *end++ = '\n';
    return static_cast<size_t>(end - out);
}

}  // namespace sluice::http
