#pragma once

#include <atomic>
#include <cstdint>

#include "core/shared_log.h"

namespace sluice {

/// Why a worker's process has ended.
enum class WorkerEnd : uint8_t {
    kExited,    ///< by itself: exit(), a fatal error
    kKilled,    ///< by a signal
    kNotReady,  ///< before it was ready
    kReplaced,  ///< recycle(), Worker::replace()
    kRetired,   ///< a reload or the end of the server, or it was one too many
};
inline constexpr unsigned kWorkerEnds = 5;

/// What the master tells of the server.
struct alignas(64) ServerCell {
    enum class State : uint32_t { kStarting, kServing, kDraining };

    std::atomic<uint64_t> began_us;  ///< since 1970
    std::atomic<State> state;
    std::atomic<uint32_t> generation;          ///< that serves; 0: none
    std::atomic<uint32_t> pending_generation;  ///< that boots or is tried out; 0: none
    std::atomic<bool> canary;                  ///< whether it is tried out
    std::atomic<uint32_t> workers_wanted;
    std::atomic<int32_t> reactor_pid;  ///< 0: none
    std::atomic<uint64_t> reloads;     ///< that have taken over
    std::atomic<uint64_t> reload_failures;
    std::atomic<uint64_t> observer_starts;
    std::atomic<uint64_t> worker_ends[kWorkerEnds];

    log::SharedLog shared_log;
};

}  // namespace sluice
