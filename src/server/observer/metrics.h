#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// All metrics, as Prometheus or OpenMetrics has them.
AdminAnswer answer_metrics(Observer& observer, const AdminRequest& request);

}  // namespace sluice
