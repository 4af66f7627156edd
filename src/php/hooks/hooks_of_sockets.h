#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// The calls that wait for one socket, for install_hooks().
std::span<const Redirection> socket_hooks();

/// Of these, the ones that are for files as well.
std::span<const Redirection> reading_hooks();

}  // namespace sluice::php
