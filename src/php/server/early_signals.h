#pragma once

namespace sluice::php {

/// From here to run(), SIGHUP and SIGUSR1 are remembered as a request to reload, and do not end the process
/// as they would by default. The script's own handlers stay.
void remember_early_signals();

}  // namespace sluice::php
