#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/seam/connection_id.h"

namespace sluice {

class Http2Carrier;
struct Connection;

/// What makes a Connection a stream of an HTTP/2 connection: it has no socket, its bytes come and go by its
/// carrier. To everybody else, workers included, it is a connection like any other.
struct Http2Stream {
    Http2Stream(Http2Carrier& carrier_, ConnectionId id_, int32_t number_, bool secure_)
        : carrier(&carrier_), id(id_), number(number_), secure(secure_) {}
    ~Http2Stream();
    Http2Stream(const Http2Stream&) = delete;
    Http2Stream& operator=(const Http2Stream&) = delete;

    /// A response before the final one.
    void inform(uint16_t status, std::string_view field_lines);
    void respond(uint16_t status, std::string_view date, std::string_view field_lines,
                 std::optional<uint64_t> length, bool has_body);
    /// A whole response that tells a reason.
    void refuse(Connection& self, uint16_t status, std::string_view reason, std::string_view date,
                std::string_view field_lines, bool is_head);
    void set_trailers(std::string_view field_lines);

    Http2Carrier* carrier;  ///< nullptr: the stream is over
    ConnectionId id;        ///< of the Connection that this belongs to
    int32_t number;
    bool secure;
    bool wraps_body = false;    ///< a body of unknown length goes to the session as chunks
    bool input_ended = false;   ///< the client sends no more
    bool output_ended = false;  ///< END_STREAM has been written
    size_t held_bytes = 0;      ///< received, not credited to the client yet
};

}  // namespace sluice
