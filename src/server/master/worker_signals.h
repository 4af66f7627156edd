#pragma once

namespace sluice {

/// In every process but the master: signals that a terminal, or a supervisor stopping a whole control group,
/// sends to all processes are the master's business. They are handled by doing nothing, and not ignored, so
/// that programs which PHP code starts get the default behaviour back.
void leave_signals_to_master();

}  // namespace sluice
