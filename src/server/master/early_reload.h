#pragma once

namespace sluice {

/// A handler for SIGHUP and SIGUSR1 between a server's construction and its run(): remembers that a reload
/// was asked for.
void note_early_reload(int signal);

/// Whether a reload was asked for early. Call it once the master handles the signals itself.
bool take_early_reload();

}  // namespace sluice
