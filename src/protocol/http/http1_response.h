#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_date.h"
#include "protocol/http/http_head.h"

namespace sluice::http1 {

/// How the client learns where the response's body ends.
enum class Framing : uint8_t {
    kLength,   ///< Content-Length with `ResponseHead::length`; also for HEAD when the length is known
    kChunked,  ///< chunks; for a client of HTTP/1.0 the end of the connection instead
    kNone,     ///< the end of the connection
    kNoBody,   ///< no body follows and none is announced: HEAD, 304
};

struct ResponseHead {
    uint16_t status = 200;  ///< 100 to 999
    /// Complete "Name: value\r\n" lines that were checked with http::is_token and http::is_field_value.
    /// Without Content-Length, Transfer-Encoding and Connection (except in a 101), which write_head() adds,
    /// and without Date if a date is given.
    std::string_view fields = {};
    Framing framing = Framing::kLength;
    uint64_t length = 0;
    bool keep_alive = true;     ///< request and server allow the connection to go on
    uint8_t version_minor = 1;  ///< of the request: 0 or 1
};

/// The usual phrase for a status, or "" for an unknown status.
std::string_view reason_phrase(uint16_t status);

/// Whether a response with this status may have a body: not 1xx, 204, 205 and 304.
bool status_has_body(uint16_t status);

/// Whether the body's pieces have to be written as chunks: framing kChunked, unless the client is of HTTP/1.0
/// or the status allows no body.
bool uses_chunks(const ResponseHead& head);

/// Whether the connection goes on after this response. If not, the head says "Connection: close".
bool stays_open(const ResponseHead& head);

/// An upper bound of write_head()'s bytes.
size_t head_bound(const ResponseHead& head);

/// Writes status line, Date (unless `date` is empty), the given fields, framing and Connection, and the empty
/// line; returns the number of bytes. `out` holds at least head_bound() bytes.
size_t write_head(const ResponseHead& head, std::string_view date, std::span<char> out);

inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

/// A chunk is: write_chunk_head(), its bytes (at least one), kChunkEnd. After the last one come
/// kTrailersFollow, trailer lines like those of `ResponseHead::fields` if there are any, and kTrailersEnd.
inline constexpr size_t kChunkHeadBound = 18;
inline constexpr std::string_view kChunkEnd = "\r\n";
inline constexpr std::string_view kTrailersFollow = "0\r\n";
inline constexpr std::string_view kTrailersEnd = "\r\n";

/// Returns the number of bytes. `size` must not be 0: that would end the body.
size_t write_chunk_head(uint64_t size, std::span<char, kChunkHeadBound> out);

}  // namespace sluice::http1
