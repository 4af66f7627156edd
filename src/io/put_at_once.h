#pragma once

#include <string_view>

namespace sluice {

/// Writes all of it without waiting for anybody; false when that cannot be, as a pipe, socket or terminal is
/// full.
bool put_at_once(int fd, std::string_view bytes);

}  // namespace sluice
