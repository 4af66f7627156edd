#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that sleep.
std::span<const Redirection> time_hooks();

}  // namespace sluice::php
