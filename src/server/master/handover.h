#pragma once

#include <cstdint>

namespace sluice {

/// First byte of each message between a master and the one that is to replace it (SIGUSR2).
enum class Handover : uint8_t {
    // the old one → the new one
    kListener = 1,  ///< string as asked, bool owns the file of a Unix socket; descriptors: its sockets
    kListenersEnd,
    kPidFile,       ///< the pid file may be claimed
    kServicesEnded, ///< the services' processes have ended: no work of a service is done twice
    // the new one → the old one
    kServes,  ///< all workers are ready, the old one is to drain
};

}  // namespace sluice
