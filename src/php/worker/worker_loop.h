#pragma once

#include "php/worker/server_setup.h"
#include "php/worker/worker.h"

namespace sluice::php {

/// Serves until the master wants this worker to end. Comes back with exit() on its way (as an exception of
/// PHP's own), so that the script ends here: its destructors and shutdown functions run, what follows run()
/// does not.
void run_worker(Worker& worker, const ServerSetup& setup);

}  // namespace sluice::php
