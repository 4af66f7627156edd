#pragma once

#include <optional>
#include <string_view>

namespace sluice::http {

/// The file below a folder that a request's path names: the part of `path` behind `prefix`, decoded into
/// `out`, which has room for path.size() bytes. `path` is percent-encoded. "" is the folder itself; a final
/// slash is kept.
///
/// Nothing when the path does not begin with `prefix`, or has what no link to a file needs: empty segments,
/// `.` and `..`, encoded or not; segments that begin with a dot, except a first `.well-known` (RFC 8615);
/// encoded slashes, backslashes, control characters; malformed escapes.
std::optional<std::string_view> static_path(std::string_view path, std::string_view prefix, char* out);

}  // namespace sluice::http
