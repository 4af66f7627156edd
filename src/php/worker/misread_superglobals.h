#pragma once

#include "php/worker/server_setup.h"

namespace sluice::php {

// Tells in the log of code that reads superglobals of a request, which are empty in a handler.

/// Has code that is compiled from now on watched while it runs: each place is told once. Call it while PHP
/// starts. With the JIT nothing is watched, for PHP would switch it off.
void watch_superglobals();

/// Call it at run(). Where nothing is watched: looks at the handlers' code, and at what they call by name,
/// and tells of one place for each handler.
void look_for_superglobals(const ServerSetup& setup);
/// Call it before PHP frees all variables.
void forget_superglobals();

}  // namespace sluice::php
