#pragma once

#include <string>
#include <vector>

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// One condition of readiness.
struct HealthCheck {
    std::string name;
    bool passes = false;
    std::string reason;   ///< a sentence, also when it passes
    bool decides = true;  ///< whether the server is unready when it fails
};

/// That the server has booted, has workers, and does not drain; whether services fail; then the application's
/// own checks.
std::vector<HealthCheck> readiness_of(const Observer& observer);

/// The process that answers ends with the master: where there is an answer, the server is alive.
AdminAnswer answer_livez(Observer& observer, const AdminRequest& request);
/// 200 when all checks that decide pass, else 503.
AdminAnswer answer_readyz(Observer& observer, const AdminRequest& request);

/// The checks as a JSON array.
std::string json_of(const std::vector<HealthCheck>& checks);

}  // namespace sluice
