#pragma once

namespace sluice::php {

struct ServerSetup;

/// Adds the service for what Timer::cron() was told, if it was told anything. False when it has thrown.
bool add_cron_service(ServerSetup& setup);

}  // namespace sluice::php
