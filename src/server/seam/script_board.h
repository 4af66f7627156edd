#pragma once

#include <atomic>
#include <cstdint>
#include <sys/types.h>

#include "core/shared_memory.h"

namespace sluice {

/// The state of one process for scripts. The cell and its socket stay when the process ends; another one gets
/// them.
struct alignas(64) ScriptCell {
    std::atomic<pid_t> pid{0};          ///< 0: no process has this cell; its generation writes it
    std::atomic<bool> ends{false};      ///< the process takes no further request
    std::atomic<uint64_t> request{0};   ///< whose it is, by ScriptBoard::claim(); 0: it is free
    std::atomic<uint64_t> lost{0};      ///< the request whose process has died
    std::atomic<uint64_t> begun_ms{0};  ///< of the request, by the monotonic clock
    std::atomic<uint64_t> served{0};    ///< requests of this process, the present one as well
};

/// What the processes of one pool for scripts do, in memory that they, their generation and its workers
/// share: as php-fpm's scoreboard. Who has claimed a cell may talk to its process, and nobody else.
class ScriptBoard {
  public:
    /// Claimed by the generation, for the process to end.
    static constexpr uint64_t kEnding = 1;

    /// Check `operator bool`; errno tells why it failed.
    static ScriptBoard create(unsigned most);

    explicit operator bool() const { return static_cast<bool>(memory_); }
    unsigned size() const { return size_; }
    ScriptCell& cell(unsigned place) const { return cells()[place]; }

    /// Claims a cell whose process is free, for a request of this number. size(): there is none.
    unsigned claim(uint64_t request) const;
    void release(unsigned place) const;
    bool has_free() const;
    unsigned count_free() const;
    /// Whether another process might be forked.
    bool has_place() const;

    /// The numbers of requests tell whose they are.
    static uint64_t number_of(pid_t worker, uint32_t count) {
        return static_cast<uint64_t>(worker) << 32 | count;
    }
    static pid_t worker_of(uint64_t request) { return static_cast<pid_t>(request >> 32); }

    /// How many wait for a cell to become free.
    std::atomic<uint32_t>& waiting() const {
        return *reinterpret_cast<std::atomic<uint32_t>*>(memory_.data());
    }

  private:
    /// Behind what all share, which takes the room of one.
    ScriptCell* cells() const { return reinterpret_cast<ScriptCell*>(memory_.data()) + 1; }
    static bool is_free(const ScriptCell& cell) {
        return cell.pid.load() != 0 && cell.request.load() == 0 && !cell.ends.load();
    }

    SharedMemory memory_;
    unsigned size_ = 0;
};

}  // namespace sluice
