#include "protocol/http/http1_response.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace sluice::http1 {

namespace {

constexpr size_t kStatusLineBound = sizeof("HTTP/1.1 999 Network Authentication Required\r\n") - 1;
constexpr size_t kDateLineBytes = sizeof("Date: \r\n") - 1 + http::kDateBytes;
constexpr size_t kFramingBound = sizeof("Content-Length: 18446744073709551615\r\n") - 1;
constexpr size_t kConnectionBound = sizeof("Connection: keep-alive\r\n") - 1;
constexpr size_t kHeadBound = kStatusLineBound + kDateLineBytes + kFramingBound + kConnectionBound + 2;

char* put(char* out, std::string_view text) {
    if (!text.empty()) memcpy(out, text.data(), text.size());
    return out + text.size();
}

char* put_decimal(char* out, uint64_t value) {
    char digits[20];
    char* first = digits + sizeof(digits);
    do {
        *--first = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return put(out, {first, static_cast<size_t>(digits + sizeof(digits) - first)});
}

/// 1xx and 204 must not have Content-Length or Transfer-Encoding (RFC 9110 8.6, RFC 9112 6.1).
bool status_has_framing(uint16_t status) {
    return status >= 200 && status != 204;
}

char* put_framing(char* out, const ResponseHead& head) {
    if (!status_has_framing(head.status)) return out;
    // Without a length of 0 the client would read a 205's body until the connection ends.
    if (head.status == 205) return put(out, "Content-Length: 0\r\n");
    if (uses_chunks(head)) return put(out, "Transfer-Encoding: chunked\r\n");
    if (head.framing != Framing::kLength) return out;
    out = put(out, "Content-Length: ");
    out = put_decimal(out, head.length);
    return put(out, "\r\n");
}

}  // namespace

std::string_view reason_phrase(uint16_t status) {
    switch (status) {
        case 100: return "Continue";
        case 101: return "Switching Protocols";
        case 102: return "Processing";
        case 103: return "Early Hints";
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 203: return "Non-Authoritative Information";
        case 204: return "No Content";
        case 205: return "Reset Content";
        case 206: return "Partial Content";
        case 207: return "Multi-Status";
        case 208: return "Already Reported";
        case 226: return "IM Used";
        case 300: return "Multiple Choices";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 303: return "See Other";
        case 304: return "Not Modified";
        case 305: return "Use Proxy";
        case 307: return "Temporary Redirect";
        case 308: return "Permanent Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 402: return "Payment Required";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 406: return "Not Acceptable";
        case 407: return "Proxy Authentication Required";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 411: return "Length Required";
        case 412: return "Precondition Failed";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 416: return "Range Not Satisfiable";
        case 417: return "Expectation Failed";
        case 418: return "I'm a teapot";
        case 421: return "Misdirected Request";
        case 422: return "Unprocessable Content";
        case 423: return "Locked";
        case 424: return "Failed Dependency";
        case 425: return "Too Early";
        case 426: return "Upgrade Required";
        case 428: return "Precondition Required";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 451: return "Unavailable For Legal Reasons";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        case 506: return "Variant Also Negotiates";
        case 507: return "Insufficient Storage";
        case 508: return "Loop Detected";
        case 510: return "Not Extended";
        case 511: return "Network Authentication Required";
        default: return "";
    }
}

bool status_has_body(uint16_t status) {
    return status >= 200 && status != 204 && status != 205 && status != 304;
}

bool uses_chunks(const ResponseHead& head) {
    return head.framing == Framing::kChunked && head.version_minor >= 1 && status_has_body(head.status);
}

bool stays_open(const ResponseHead& head) {
    if (!head.keep_alive) return false;
    if (!status_has_body(head.status)) return true;
    // Without chunks, only the end of the connection can end a body of unknown length.
    return head.framing == Framing::kLength || head.framing == Framing::kNoBody || uses_chunks(head);
}

size_t head_bound(const ResponseHead& head) {
    return kHeadBound + head.fields.size();
}

size_t write_head(const ResponseHead& head, std::string_view date, std::span<char> out) {
    assert(head.status >= 100 && head.status <= 999);
    assert(date.size() <= http::kDateBytes);
    assert(out.size() >= head_bound(head));
    const bool interim = head.status < 200;
    char* end = put(out.data(), "HTTP/1.1 ");
    end = put_decimal(end, head.status);
    *end++ = ' ';
    end = put(end, reason_phrase(head.status));
    end = put(end, "\r\n");
    if (!date.empty() && !interim) {
        end = put(end, "Date: ");
        end = put(end, date);
        end = put(end, "\r\n");
    }
    end = put(end, head.fields);
    end = put_framing(end, head);
    if (!interim) {
        if (!stays_open(head)) {
            end = put(end, "Connection: close\r\n");
        } else if (head.version_minor == 0) {
            end = put(end, "Connection: keep-alive\r\n");
        }
    }
    end = put(end, "\r\n");
    return static_cast<size_t>(end - out.data());
}

size_t write_chunk_head(uint64_t size, std::span<char, kChunkHeadBound> out) {
    assert(size != 0);
    const int digits = (std::bit_width(size) + 3) / 4;
    for (int i = digits - 1; i >= 0; --i) {
        out[i] = "0123456789abcdef"[size & 15];
        size >>= 4;
    }
    out[digits] = '\r';
    out[digits + 1] = '\n';
    return static_cast<size_t>(digits) + 2;
}

}  // namespace sluice::http1
