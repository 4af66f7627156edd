#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/http/http1_parser.h"
#include "protocol/http/http_head.h"

namespace sluice::http2 {

/// Gathers the decoded fields of one request (RFC 9113 section 8.3) and writes them as a head of HTTP/1.1:
/// so the rules of http1::HeadParser hold for both versions, and workers get one form. nghttp2's checks are
/// not repeated: order and number of pseudo-header fields, names in lower case, no connection-specific
/// fields.
class RequestBuilder {
  public:
    struct Limits {
        uint32_t head_bytes;     ///< of the text
        uint32_t header_fields;  ///< each crumb of a cookie counts
    };
    /// A block that decodes to this many times the permitted bytes or fields is an attack.
    static constexpr uint32_t kBombFactor = 8;

    explicit RequestBuilder(Limits limits) : limits_(limits) {}

    void reset();
    /// False: a decompression bomb (kBombFactor); stop reading it.
    bool add(std::string_view name, std::string_view value);

    /// Call it after the last field. `ended`: no body follows. When it fails, error() is what to answer.
    bool finish(http1::HeadParser& parser, bool ended);
    http::Error error() const { return error_; }

    /// After finish(). The version is 2.0; `chunked` says that a body of unknown length follows.
    const http::RequestHead& head() const { return head_; }
    /// How many of the parser's fields are the client's: the first ones.
    size_t field_count() const { return head_.field_count; }
    /// What the spans of head and fields point into.
    const std::string& text() const { return text_; }
    /// CONNECT with a :protocol that is not "websocket" (RFC 8441).
    bool wants_unknown_protocol() const { return !protocol_.empty() && protocol_ != "websocket"; }
    bool is_connect_protocol() const { return !protocol_.empty(); }
    bool is_head_method() const { return method_ == "HEAD"; }

  private:
    bool compose(bool ended);

    Limits limits_;
    std::string method_, path_, authority_, protocol_;
    std::string lines_, cookies_, text_;
    bool has_host_ = false;
    bool has_length_ = false;
    uint64_t decoded_bytes_ = 0;
    uint32_t decoded_fields_ = 0;
    http::Error error_;
    http::RequestHead head_;
};

}  // namespace sluice::http2
