#pragma once

namespace sluice::php {

// PHP's own messages - warnings, parse errors, whatever ends a script - as lines of the server's log: with
// the time, the process, and what was handled. Where php.ini names an error_log they go there, as everywhere.

/// In the processes of a server, from here on.
void log_php_messages();
/// Before this extension is unloaded.
void release_php_messages();

}  // namespace sluice::php
