#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// A string of JSON with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace sluice
