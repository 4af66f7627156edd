#pragma once

#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// The slowest requests of the last ten minutes and the last failed ones, of all workers, each with its
/// timeline; with `id`, those of this trace or span alone.
AdminAnswer answer_slow(Observer& observer, const AdminRequest& request);

}  // namespace sluice
