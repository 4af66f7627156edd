#pragma once

#include <span>

#include "io/import_table.h"

namespace sluice::php {

/// The calls that ask the name service, which are made in threads: it knows no other way to go on meanwhile.
std::span<const Redirection> name_hooks();

}  // namespace sluice::php
