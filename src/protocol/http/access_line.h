#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::http {

enum class AccessFormat : uint8_t {
    kCommon,    ///< Apache's Common Log Format
    kCombined,  ///< Common Log Format with referer and user agent
    kJson,      ///< one JSON object a line
};

/// What an access log tells of one request. The texts come from the client and are not trusted.
struct AccessEntry {
    uint64_t at_us = 0;         ///< since 1970: when the request had been read
    std::string_view peer;      ///< "192.0.2.1:1234", "[2001:db8::1]:1234", "unix:"
    std::string_view method;    ///< empty when the request was malformed
    std::string_view target;    ///< of a malformed request: its first line, as far as it came
    std::string_view protocol;  ///< "HTTP/1.1"
    std::string_view host, referer, user_agent, request_id;  ///< empty: none
    std::string_view trace_id, span_id;                      ///< as digits; empty: none
    std::string_view route;  ///< the pattern that has matched; empty: none. Not from the client
    uint16_t status = 0;
    uint64_t body_bytes = 0;
    uint64_t duration_us = 0;
    bool complete = true;  ///< the client got all of it
};

/// The longest line, its LF included: PIPE_BUF, which a pipe takes atomically. Longer texts of clients are
/// cut, and end in "...".
inline constexpr size_t kAccessLineBound = 4096;

/// Appends one line. Control characters, quotes and backslashes are escaped, so that no client can end the
/// line, forge another one or speak to a terminal.
void append_access_line(std::string& out, AccessFormat format, const AccessEntry& entry);

}  // namespace sluice::http
