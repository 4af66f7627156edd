#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::http {

/// One event of a stream of type text/event-stream (HTML, "Server-sent events").
struct StreamEvent {
    std::string_view data;  ///< its line ends (CRLF, CR, LF) arrive as LF
    std::string_view type;  ///< empty: "message"
    /// An empty id clears the one that the browser remembers.
    std::optional<std::string_view> id;
    std::optional<uint32_t> retry_ms;
};

/// Whether `text` may be an event's type or id: one line, and no NUL, which would make a browser drop an id.
bool is_event_line(std::string_view text);

/// An upper bound of write_event()'s bytes.
size_t event_bound(const StreamEvent& event);
/// `type` and `id` must be is_event_line(). Returns the number of bytes.
size_t write_event(const StreamEvent& event, char* out);

/// event_bound() and write_event() for a comment, which browsers drop: it keeps intermediaries from closing
/// an idle connection.
size_t comment_bound(std::string_view text);
size_t write_comment(std::string_view text, char* out);

}  // namespace sluice::http
