#pragma once

#include <array>
#include <cstdint>

#include "protocol/http/http_head.h"

namespace sluice::http {

namespace target {

inline constexpr uint8_t kInPath = 1;
inline constexpr uint8_t kInQuery = 2;
extern const std::array<uint8_t, 256> kClasses;

}  // namespace target

/// Bytes allowed in a path, and in a query: those of RFC 3986 and those that browsers leave unencoded. '?' is
/// no path byte, so that a loop over a path stops where the query begins.
inline bool is_path_byte(char c) {
    return target::kClasses[static_cast<uint8_t>(c)] & target::kInPath;
}
inline bool is_query_byte(char c) {
    return target::kClasses[static_cast<uint8_t>(c)] & target::kInQuery;
}

/// Checks the form of the target against the method (RFC 9112 3.2) and works out path and, if the target
/// names one, host. `head` has method, target and query already; the target must consist of path bytes, a
/// '?', and query bytes. Returns the reason to refuse the request, or nullptr.
///
/// A '%' without two digits is refused in the path only: browsers send such queries. So is an encoded NUL, CR
/// or LF: it would cut a string or a line in two wherever the path is decoded.
const char* resolve_target(const char* base, RequestHead& head);

}  // namespace sluice::http
