#pragma once

#include "php/worker/server_setup.h"
#include "php/worker/worker.h"

namespace sluice::php {

/// Serves until the master wants this worker to end. Returns with PHP's unwind-exit exception set,
/// so that the script ends here: its destructors and shutdown functions run, code after run() does
/// not.
void run_worker(Worker& worker, const ServerSetup& setup);

}  // namespace sluice::php
