#pragma once

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

#include "io/fd_channel.h"

namespace sluice {

struct ServerConfig;

/// A generation's processes for one request each, forked before a request needs them. Counts the processes of
/// each site; its owner forks.
class SpareProcesses {
  public:
    explicit SpareProcesses(const ServerConfig& config);

    bool empty() const { return pools_.empty(); }
    /// Readable once a process has taken a request.
    int taken_fd() const { return taken_.get(); }
    int teller_fd() const { return teller_.get(); }
    void hear();
    /// A process has ended. False when it was none for a request.
    bool forget(pid_t pid, int status, uint64_t now_ms);
    bool has(pid_t pid) const { return processes_.contains(pid); }

    /// The pool that wants one more process now; -1: no pool does.
    int next(uint64_t now_ms) const;
    /// For how long next() stays what it is unless a process begins or ends; -1: for ever.
    int wait_ms(uint64_t now_ms) const;
    void forked(int pool, pid_t pid);

    /// In a process of a pool: the queue to take requests from, the pipe to tell of one, the note to write.
    FdChannel take_queue(int pool);
    UniqueFd take_teller();
    static uint64_t note_of(pid_t pid) { return static_cast<uint64_t>(pid); }

    /// In a worker: the queues that it hands requests to, by the endpoint that has the processes.
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
        unsigned spare = 0;  ///< processes that are to wait for a request
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
