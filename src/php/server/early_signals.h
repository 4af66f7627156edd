#pragma once

namespace sluice::php {

/// From here to run(), SIGHUP and SIGUSR1 are remembered as a request to reload, and do not end the process
/// as they would by default. The script's own handlers stay.
void remember_early_signals();

/// Once the server has ended as it was asked to: a further signal to stop ends the process at once, with 0,
/// wherever PHP is in its own end. The script's own handlers stay.
void end_well_on_signals();

}  // namespace sluice::php
