#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// The calls that wait for a lock on a file.
std::span<const Redirection> lock_hooks();

}  // namespace sluice::php
