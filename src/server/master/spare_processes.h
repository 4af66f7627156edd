#pragma once

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

#include "io/fd_channel.h"

namespace sluice {

struct ServerConfig;

/// Of a generation: the processes for one request each, of sites that have such, forked before a request
/// needs them. It knows how many there are; forking is its owner's.
class SpareProcesses {
  public:
    explicit SpareProcesses(const ServerConfig& config);

    bool empty() const { return pools_.empty(); }
    /// Readable once a process has taken a request.
    int taken_fd() const { return taken_.get(); }
    int teller_fd() const { return teller_.get(); }
    void hear();
    /// A process has ended. False when it is none of these.
    bool forget(pid_t pid, int status, uint64_t now_ms);

    /// The pool that wants one more process now; -1: none does.
    int next(uint64_t now_ms) const;
    /// For how long next() stays what it is, as far as time is concerned; -1: for ever.
    int wait_ms(uint64_t now_ms) const;
    void forked(int pool, pid_t pid);

    /// In a process of a pool: what it takes requests from, what it tells that by, and how.
    FdChannel take_queue(int pool);
    UniqueFd take_teller();
    static uint64_t note_of(pid_t pid) { return static_cast<uint64_t>(pid); }

    /// In a worker: what it hands requests to, by the number of the endpoint whose they are.
    std::vector<FdChannel> take_ends();

    template <typename F>
    void for_each(F&& f) const {
        for (const auto& [pid, process] : processes_)
            f(pid);
    }

  private:
    struct Pool {
        uint16_t endpoint = 0;
        unsigned most = 0;
        unsigned spare = 0;  ///< that are to wait for a request
        unsigned count = 0;
        unsigned idle = 0;
        unsigned failures = 0;
        uint64_t not_before_ms = 0;
        FdChannel for_workers;
        FdChannel for_processes;
    };
    struct Process {
        int pool = 0;
        bool idle = true;
    };

    std::vector<Pool> pools_;
    std::map<pid_t, Process> processes_;
    UniqueFd taken_;
    UniqueFd teller_;
};

}  // namespace sluice
