#pragma once

#include <cstdint>

namespace sluice {

/// Lets this process, and those that it starts from now on, have as many descriptors as the system allows it
/// (RLIMIT_NOFILE), and returns how many that is.
uint64_t raise_descriptor_limit();

}  // namespace sluice
