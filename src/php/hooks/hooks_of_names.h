#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls to the name service, which run in threads: it has no asynchronous interface.
std::span<const Redirection> name_hooks();

}  // namespace sluice::php
