#pragma once

namespace sluice {

/// Signals in a process that the master looks after: SIGINT, SIGHUP and SIGUSR1 come from the terminal to the
/// whole process group and are the master's business; SIGTERM asks this worker alone to end after its current
/// message. Children that PHP code starts get the default behaviour back.
void install_worker_signals(int doorbell_fd);
/// The same for processes between, which have no SIGTERM handler: they end when told to.
void ignore_terminal_signals();
bool worker_was_asked_to_end();

}  // namespace sluice
