#pragma once

namespace sluice::php {

/// From here to run(), SIGHUP and SIGUSR1 are remembered as a wish to reload, and do not end the process as
/// they would by default. What the script itself has set for them stays.
void remember_early_signals();

}  // namespace sluice::php
