#pragma once

namespace sluice::php {

// What answers a request elsewhere in PHP, and is lost in a handler: echo, header(), setcookie(). Each place
// is told once, in the log.

/// Before the script begins; before this extension is unloaded.
void guard_misplaced_output();
void release_misplaced_output();

/// In a worker, from here on.
void watch_output();

}  // namespace sluice::php
