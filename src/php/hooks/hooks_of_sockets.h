#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that wait for one socket, for install_hooks().
std::span<const Redirection> socket_hooks();

/// Hooks of calls that are for sockets and files alike.
std::span<const Redirection> reading_hooks();

}  // namespace sluice::php
