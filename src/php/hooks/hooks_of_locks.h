#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// The calls that wait for a lock on a file, and for System V's semaphores and messages.
std::span<const Redirection> lock_hooks();

}  // namespace sluice::php
