#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

// What an operator may ask of the master, as by SIGHUP and SIGTERM. 202: the master has been told.
AdminAnswer answer_reload(Observer& observer, const AdminRequest& request);
AdminAnswer answer_drain(Observer& observer, const AdminRequest& request);

}  // namespace sluice
