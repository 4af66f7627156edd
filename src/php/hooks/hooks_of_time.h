#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// The calls that only pass time.
std::span<const Redirection> time_hooks();

}  // namespace sluice::php
