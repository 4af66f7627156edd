#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that wait for the end of a child process.
std::span<const Redirection> process_hooks();

}  // namespace sluice::php
