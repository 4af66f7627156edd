#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::http {

/// Whether a download may have this name: UTF-8 without control characters and slashes, not "", "." or "..".
bool is_file_name(std::string_view name);

/// The value of a Content-Disposition that has a browser save the body under this name (RFC 6266), which
/// is_file_name(). A name that is not plain ASCII comes in both forms: as `filename*` (RFC 8187), and with
/// underscores for clients that know only the old one.
/// Writes to `out`, which has attachment_bound() bytes, and returns how many it was.
size_t write_attachment(std::string_view name, char* out);
constexpr size_t attachment_bound(std::string_view name) {
    return 64 + 4 * name.size();
}

}  // namespace sluice::http
