#pragma once

#include <optional>
#include <string_view>

namespace sluice::http {

/// What in a folder a request's path, still percent-encoded, names: the path below `prefix` relative to the
/// folder, decoded into `out`, which takes path.size() bytes; "" for the folder itself. It ends with a slash
/// when the path does.
///
/// Nothing when it does not begin with `prefix`, or holds what no link to a file needs: empty segments, `.`
/// and `..`, encoded or not; segments that begin with a dot, save a first `.well-known` (RFC 8615); encoded
/// slashes, backslashes, control characters; malformed escapes.
std::optional<std::string_view> static_path(std::string_view path, std::string_view prefix, char* out);

}  // namespace sluice::http
