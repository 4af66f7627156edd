#pragma once

namespace sluice::php {

struct ServerSetup;

/// Adds the service `cron` when the script has called Timer::cron(). False when it has thrown.
bool add_cron_service(ServerSetup& setup);

}  // namespace sluice::php
