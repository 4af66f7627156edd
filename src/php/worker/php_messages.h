#pragma once

namespace sluice::php {

// Writes PHP's own messages (warnings, parse errors, fatal errors) to the server's log, with the time, the
// process, and what was handled; one that comes very often is left out for a while. If php.ini names an
// error_log, they go there as usual.

/// In the processes of a server, from here on.
void log_php_messages();
/// Before this extension is unloaded.
void release_php_messages();

}  // namespace sluice::php
