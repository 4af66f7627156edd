#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// The media type of an error page.
enum class ErrorFormat : uint8_t {
    kAny,   ///< the client has not said
    kText,  ///< text/plain
    kHtml,  ///< text/html
    kJson,  ///< application/problem+json (RFC 9457)
};

/// The format with the greatest weight in a request's Accept fields, the first one of equal weights. kAny
/// when they name none of the three, or only with weight 0.
ErrorFormat wanted_format(std::span<const Field> fields, const char* text);

/// Error pages that a site or a route brings along. `{status}`, `{reason}`, `{detail}` and `{request}` in
/// them are replaced by the error's.
struct ErrorPages {
    /// By status; page 0 is for every status without a page.
    using ByStatus = std::map<uint16_t, std::string>;

    ByStatus html, json;
    ErrorFormat otherwise = ErrorFormat::kText;  ///< for kAny
};

struct ErrorPage {
    std::string fields;  ///< the fields Content-Type and Vary, as lines
    std::string body;
};

/// The values of an error page.
struct ErrorCase {
    uint16_t status;          ///< 400 to 599
    std::string_view detail;  ///< a sentence, or empty; left out when not UTF-8
    uint32_t request;         ///< its number on its connection
};

/// `pages`: nullptr for the server's default pages.
ErrorPage make_error_page(const ErrorPages* pages, ErrorFormat wanted, const ErrorCase& error);

}  // namespace sluice::http
