#pragma once

#include <string_view>

namespace sluice::http {

/// The Content-Type for a file by its name's extension, in any case, with `charset=utf-8` for text;
/// `application/octet-stream` for an unknown extension.
std::string_view mime_type(std::string_view file_name);

}  // namespace sluice::http
