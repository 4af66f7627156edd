#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// The process that answers ends with the master: where there is an answer, the server is alive.
AdminAnswer answer_livez(Observer& observer, const AdminRequest& request);

}  // namespace sluice
