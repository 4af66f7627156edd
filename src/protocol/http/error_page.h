#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

/// What an error is told as.
enum class ErrorFormat : uint8_t {
    kAny,   ///< the client has not said
    kText,  ///< text/plain
    kHtml,  ///< text/html
    kJson,  ///< application/problem+json (RFC 9457)
};

/// What the Accept fields of a request want most; of what they want alike, what they name first. kAny when
/// they name none of the three, or all that they name is refused.
ErrorFormat wanted_format(std::span<const Field> fields, const char* text);

/// Pages of a site's or a route's own. In them `{status}`, `{reason}`, `{detail}` and `{request}` are
/// replaced by what they stand for.
struct ErrorPages {
    /// By status; that of 0 is for those which have none.
    using ByStatus = std::map<uint16_t, std::string>;

    ByStatus html, json;
    ErrorFormat otherwise = ErrorFormat::kText;  ///< for kAny
};

struct ErrorPage {
    std::string fields;  ///< lines that tell the body's type, and by what it was chosen
    std::string body;
};

/// What is told of an error.
struct ErrorCase {
    uint16_t status;          ///< 400 to 599
    std::string_view detail;  ///< a sentence, or empty; what is not UTF-8 is left out
    uint32_t request;         ///< its number on its connection
};

/// `pages`: nullptr for the server's own.
ErrorPage make_error_page(const ErrorPages* pages, ErrorFormat wanted, const ErrorCase& error);

}  // namespace sluice::http
