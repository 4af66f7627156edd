#pragma once

#include <string_view>

namespace sluice::http {

/// The Content-Type for a file by its name's extension, in any case, with `charset=utf-8` where text has one;
/// `application/octet-stream` for what is not known.
std::string_view mime_type(std::string_view file_name);

}  // namespace sluice::http
