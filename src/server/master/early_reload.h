#pragma once

namespace sluice {

/// A handler for SIGHUP and SIGUSR1 between the making of a server and its run(): it remembers that a reload
/// was asked for.
void note_early_reload(int signal);

/// Whether one was. The signals are the master's own from here on.
bool take_early_reload();

}  // namespace sluice
