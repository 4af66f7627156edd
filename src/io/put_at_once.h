#pragma once

#include <string_view>

namespace sluice {

/// Writes all bytes without ever blocking; false when that is not possible, e.g. as a pipe, socket or
/// terminal is full.
bool put_at_once(int fd, std::string_view bytes);

}  // namespace sluice
