#pragma once

namespace sluice {

/// For every process but the master: signals that a terminal, or a supervisor stopping a control group, sends
/// to all processes concern only the master. Their handler does nothing. They are not ignored, for programs
/// that PHP starts would inherit that.
void leave_signals_to_master();

/// For a fork by the application: restores the defaults, except for the application's own handlers.
void take_signals_back();

}  // namespace sluice
