#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::http {

/// Whether a download may have this name: UTF-8 without control characters and slashes, not "", "." or "..".
bool is_file_name(std::string_view name);

/// Writes the value of a Content-Disposition that has a browser save the body under `name` (RFC 6266);
/// requires is_file_name(name). A name that is not plain ASCII is written in two forms: as `filename*` (RFC
/// 8187), and as `filename` with underscores for older clients. `out` has attachment_bound() bytes. Returns
/// the number of bytes written.
size_t write_attachment(std::string_view name, char* out);
constexpr size_t attachment_bound(std::string_view name) {
    return 64 + 4 * name.size();
}

}  // namespace sluice::http
