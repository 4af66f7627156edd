#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that wait for one of several descriptors.
std::span<const Redirection> polling_hooks();

}  // namespace sluice::php
