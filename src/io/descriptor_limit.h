#pragma once

#include <cstdint>

namespace sluice {

/// Raises the limit of descriptors (RLIMIT_NOFILE) of this process, and of those that it starts from now on,
/// as far as the system allows, and returns the limit.
uint64_t raise_descriptor_limit();

}  // namespace sluice
