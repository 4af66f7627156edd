#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that sleep.
std::span<const Redirection> time_hooks();

/// Call it before the script begins: PHP's usleep() takes its number modulo 2^32.
void lengthen_usleep();
/// Call it before this extension is unloaded.
void release_usleep();

}  // namespace sluice::php
