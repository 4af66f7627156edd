#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

// Profiles of all workers and services, below /debug/pprof/. What does not answer in time is left out, and
// the profile says so. One profile is taken at a time.

AdminAnswer answer_profile_index(Observer& observer, const AdminRequest& request);
AdminAnswer answer_cpu_profile(Observer& observer, const AdminRequest& request);
AdminAnswer answer_wait_profile(Observer& observer, const AdminRequest& request);
AdminAnswer answer_heap_profile(Observer& observer, const AdminRequest& request);
AdminAnswer answer_coroutine_profile(Observer& observer, const AdminRequest& request);

}  // namespace sluice
