#pragma once

namespace sluice::php {

// Logs output that a handler would lose: echo, header() and setcookie() answer requests elsewhere in PHP.
// Each place is logged once.

/// Before the script begins; before this extension is unloaded.
void guard_misplaced_output();
void release_misplaced_output();

/// In a worker, from here on.
void watch_output();

}  // namespace sluice::php
