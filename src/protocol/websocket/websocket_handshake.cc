#include "protocol/websocket/websocket_handshake.h"

#include <cassert>
#include <cstdint>
#include <openssl/sha.h>

#include "protocol/websocket/websocket_deflate.h"

namespace sluice::websocket {
namespace {

constexpr std::string_view kAcceptSalt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455 section 1.3
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

bool is_token(std::string_view text) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    for (char c : text) {
        const char l = lower(c);
        if ((l < 'a' || l > 'z') && (c < '0' || c > '9') && kMarks.find(c) == std::string_view::npos)
            return false;
    }
    return !text.empty();
}

std::string_view trim(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Takes the first element off a comma-separated list.
std::string_view take_element(std::string_view& list) {
    const size_t comma = list.find(',');
    const std::string_view element = trim(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    return element;
}

bool list_has(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        if (equal_ignoring_case(take_element(list), word)) return true;
    }
    return false;
}

/// Empty elements must be accepted in any list (RFC 9110 section 5.6.1.2).
bool is_token_list(std::string_view list) {
    while (!list.empty()) {
        const std::string_view element = take_element(list);
        if (!element.empty() && !is_token(element)) return false;
    }
    return true;
}

/// Whether the key is 16 bytes in base64; what the bytes are does not matter.
bool is_key(std::string_view key) {
    return key.size() == 24 && key.ends_with("==") && key.find_first_not_of(kBase64) == 22;
}

bool is_version(std::string_view version) {
    return !version.empty() && version.size() <= 3 &&
           version.find_first_not_of("0123456789") == version.npos &&
           (version.size() == 1 || version[0] != '0');
}

std::string base64(const unsigned char* data, size_t size) {
    std::string out;
    out.reserve((size + 2) / 3 * 4);
    for (size_t i = 0; i < size; i += 3) {
        const size_t have = size - i;
        uint32_t three = uint32_t{data[i]} << 16;
        if (have > 1) three |= uint32_t{data[i + 1]} << 8;
        if (have > 2) three |= uint32_t{data[i + 2]};
        out += kBase64[three >> 18];
        out += kBase64[three >> 12 & 63];
        out += have > 1 ? kBase64[three >> 6 & 63] : '=';
        out += have > 2 ? kBase64[three & 63] : '=';
    }
    return out;
}

HandshakeRefusal bad_request(std::string sentence) {
    return {400, std::move(sentence)};
}

}  // namespace

bool asks_for_websocket(std::string_view upgrade) {
    return list_has(upgrade, "websocket");
}

std::optional<HandshakeRefusal> check_handshake(const HandshakeRequest& request) {
    // RFC 8441 section 5: CONNECT with :protocol replaces GET, HTTP/1.1, Upgrade and key.
    const bool is_stream = request.http_major == 2;
    if (!is_stream && request.method != "GET") {
        return bad_request("A WebSocket handshake must be a GET request.");
    }
    if (!is_stream && (request.http_major != 1 || request.http_minor < 1)) {
        return bad_request("A WebSocket handshake by the Upgrade field needs HTTP/1.1.");
    }
    if (request.has_content) {
        // The bytes of a body would be taken for frames.
        return bad_request("A WebSocket handshake must not have a body.");
    }
    if (request.host.empty()) {
        return bad_request("A WebSocket handshake must have a Host field.");
    }
    if (!is_stream && !asks_for_websocket(request.upgrade)) {
        return bad_request("The Upgrade field of a WebSocket handshake must name \"websocket\".");
    }
    if (!is_stream && !list_has(request.connection, "upgrade")) {
        return bad_request("The Connection field of a WebSocket handshake must name \"Upgrade\".");
    }
    if (!is_version(request.version)) {
        return bad_request(
            "A WebSocket handshake must have one Sec-WebSocket-Version field, and it must be 13.");
    }
    if (request.version != "13") {
        return HandshakeRefusal{426, "The WebSocket version " + std::string(request.version) +
                                         " is not spoken here; only 13 is."};
    }
    if (!is_stream && !is_key(request.key)) {
        return bad_request(
            "A WebSocket handshake must have one Sec-WebSocket-Key field, and it must be 16 bytes in "
            "base64.");
    }
    if (!is_token_list(request.protocols)) {
        return bad_request("The Sec-WebSocket-Protocol field must be a list of tokens.");
    }
    if (!extensions_are_well_formed(request.extensions)) {
        return bad_request(
            "The Sec-WebSocket-Extensions field must be a list of names with parameters: "
            "name; parameter; parameter=value.");
    }
    return std::nullopt;
}

bool offers_protocol(std::string_view protocols, std::string_view name) {
    while (!protocols.empty()) {
        const std::string_view element = take_element(protocols);
        if (!element.empty() && element == name) return true;  // unlike most tokens, these are case-sensitive
    }
    return false;
}

uint32_t protocol_number(std::string_view name) {
    if (name.empty()) return 0;
    uint32_t number = 2166136261u;  // FNV-1a
    for (const char byte : name)
        number = (number ^ static_cast<unsigned char>(byte)) * 16777619u;
    return number ? number : 1;
}

std::string accept_key(std::string_view key) {
    std::string salted(key);
    salted += kAcceptSalt;
    unsigned char digest[SHA_DIGEST_LENGTH];
    SHA1(reinterpret_cast<const unsigned char*>(salted.data()), salted.size(), digest);
    return base64(digest, sizeof digest);
}

std::string switching_protocols_response(std::string_view key, std::string_view protocol,
                                         std::string_view more_fields) {
    assert(protocol.empty() || is_token(protocol));
    assert(more_fields.empty() || more_fields.ends_with("\r\n"));
    std::string out =
        "HTTP/1.1 101 Switching Protocols\r\n"
        "Upgrade: websocket\r\n"
        "Connection: Upgrade\r\n"
        "Sec-WebSocket-Accept: ";
    out += accept_key(key);
    out += "\r\n";
    if (!protocol.empty()) {
        out += "Sec-WebSocket-Protocol: ";
        out += protocol;
        out += "\r\n";
    }
    out += more_fields;
    out += "\r\n";
    return out;
}

}  // namespace sluice::websocket
