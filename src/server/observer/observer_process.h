#pragma once

#include "core/unique_fd.h"
#include "server/observer/observer.h"

namespace sluice {

struct ObserverProcessWiring {
    Observer::Wiring observer;
    UniqueFd listener;
};

/// Serves the admin listener until the master closes the control channel.
[[noreturn]] void serve_observer(ObserverProcessWiring wiring);

}  // namespace sluice
