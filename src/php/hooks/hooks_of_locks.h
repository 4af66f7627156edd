#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that wait for file locks, and for System V semaphores and messages.
std::span<const Redirection> lock_hooks();

}  // namespace sluice::php
