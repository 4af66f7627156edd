#pragma once

#include <cstdint>
#include <sys/types.h>
#include <vector>

#include "core/unique_fd.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// Figures of the whole server.
struct ServerStats {
    uint64_t workers = 0;  ///< that are ready
    uint64_t connections = 0;
    uint64_t arena_bytes = 0;
    uint64_t lent_bytes = 0;
    uint64_t compression_bytes = 0;
    uint64_t attached_bytes = 0;
    uint64_t subscription_bytes = 0;
    uint64_t queued_bytes = 0;
    uint64_t temporary_file_bytes = 0;
    uint64_t body_streams = 0;
    uint64_t handshakes = 0;
    uint64_t open_files = 0;
    uint64_t messages_received = 0;
    uint64_t bytes_received = 0;
    uint64_t bytes_sent = 0;
    uint64_t coroutines = 0;
    uint64_t pooled_stacks = 0;
    uint64_t peak_coroutines = 0;
    uint64_t stalls = 0;
    uint64_t datagrams_dropped = 0;
    uint64_t services = 0;  ///< processes that are ready
    uint64_t service_restarts = 0;
};

/// Figures of one worker that is ready.
struct WorkerStats {
    uint32_t number = 0;  ///< among its fellows
    pid_t pid = 0;
    uint32_t generation = 0;
    uint64_t handled = 0;   ///< requests, messages and datagrams
    uint32_t handlers = 0;  ///< that have begun and not ended
    uint32_t waiting = 0;   ///< of these, that wait for their turn
    uint32_t coroutines = 0;
    uint64_t heap_bytes = 0;
};

ServerStats stats_of(const SharedLayout& layout);
/// In the order of generations and numbers.
std::vector<WorkerStats> worker_stats_of(const SharedLayout& layout);

/// For the master: writes the shape of its shared memory, and the version of Sluice, where other processes
/// find them as long as this descriptor is open, and nobody can change them. Invalid with errno set on
/// failure.
UniqueFd publish_shape(const SharedLayout::Shape& shape);

/// The shared memory of the server whose master has this process id. When `operator bool` is false, errno
/// says why: ESRCH when there is no such process, ENOENT when it is no server, EPROTO when its version is
/// another one.
SharedLayout layout_of_server(pid_t master);

}  // namespace sluice
