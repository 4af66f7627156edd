#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// All that the dashboard and `sluice status` show, as JSON: counters since the server's start, from which a
/// reader makes rates by asking twice.
AdminAnswer answer_state(Observer& observer, const AdminRequest& request);

}  // namespace sluice
