#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// The last lines that the processes of the server have logged, the oldest first: also those that the log has
/// not taken.
AdminAnswer answer_log(Observer& observer, const AdminRequest& request);

}  // namespace sluice
