#pragma once

namespace sluice {

/// In every process but the master: signals that a terminal, or a supervisor stopping a whole control group,
/// sends to all processes are the master's business. They are handled by doing nothing, and not ignored, so
/// that programs which PHP code starts get the default behaviour back.
void leave_signals_to_master();

/// In a process that the application has forked from a worker: what the application handles itself stays.
void take_signals_back();

}  // namespace sluice
