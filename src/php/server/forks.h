#pragma once

namespace sluice::php {

// Processes that a handler forks by pcntl_fork(). Such a child is a PHP process like any other: it has the
// script's variables, runs to the end of its handler and exits, and is no part of the server. It closes the
// server's descriptors; only what other requests of the worker are just about - a body that arrives, a process
// that handles one, in base mode also files that are sent - stays open until it ends.

/// Call it before the script begins: notices forks from here on.
void guard_forks();
/// Before this extension is unloaded.
void release_forks();

}  // namespace sluice::php
