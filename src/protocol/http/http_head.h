#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace sluice::http {

/// A request method. Any other valid token is kOther: then `RequestHead::method_text` has the name. Methods
/// are case-sensitive, so `get` is kOther.
enum class Method : uint8_t {
    kGet,
    kHead,
    kPost,
    kPut,
    kDelete,
    kConnect,
    kOptions,
    kTrace,
    kPatch,
    kOther,
};

/// A piece of a request head, by its offset from the head's first byte, so that it stays valid when the head
/// is moved or copied to another process.
struct Span16 {
    uint16_t offset = 0;
    uint16_t length = 0;

    std::string_view in(const char* base) const { return {base + offset, length}; }
    bool empty() const { return length == 0; }
};

/// One field line. The name is in lower case; the value has no blanks around it.
struct Field {
    Span16 name;
    Span16 value;
};

/// No content length is announced: there is no body, or a chunked one.
inline constexpr uint64_t kNoLength = UINT64_MAX;

/// A parsed request head, made once by the protocol that read it. It travels through shared memory as it is,
/// followed by the fields and by the head's bytes that the spans refer to.
struct RequestHead {
    uint64_t content_length = kNoLength;  ///< of the body that follows; kNoLength when chunked or none
    Span16 method_text;
    Span16 target;  ///< as it was sent
    Span16 path;    ///< still percent-encoded; "*" for the asterisk form, empty for CONNECT
    Span16 query;   ///< without the '?'
    Span16 host;    ///< the effective authority: the target's if it has one, else the Host field's
    uint32_t waits_since_us = 0;  ///< of one that travels: see inbound::Request; parsers leave it alone
    uint16_t field_count = 0;
    uint16_t head_bytes = 0;  ///< length of the whole head, its closing empty line included
    Method method = Method::kOther;
    uint8_t version_major = 1;
    uint8_t version_minor = 1;  ///< 0 or 1 for HTTP/1; a later minor version reads as 1
    bool chunked = false;
    bool keep_alive = false;         ///< the client allows the connection to go on after this exchange
    bool has_body = false;           ///< a body of at least one byte is announced, or a chunked one
    bool expect_continue = false;    ///< the client waits for 100 before it sends its body
    bool upgrade_websocket = false;  ///< asks for WebSocket as RFC 6455 says: GET, 1.1, both fields, no body
};

static_assert(std::is_trivially_copyable_v<Field> && sizeof(Field) == 8);
static_assert(std::is_trivially_copyable_v<RequestHead>);

/// Why a message was refused: the status to answer with, and a sentence in static memory.
struct Error {
    uint16_t status = 0;
    const char* reason = "";
    const char* limit = nullptr;  ///< the parameter by which it was refused; nullptr: by none

    explicit operator bool() const { return status != 0; }
};

}  // namespace sluice::http
