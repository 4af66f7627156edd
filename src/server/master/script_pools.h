#pragma once

#include <map>
#include <memory>
#include <vector>

#include "server/config/script_pool.h"
#include "server/seam/script_processes.h"

namespace sluice {

struct ServerConfig;

/// A generation's pools of processes for scripts, each of which serves one request after the other. Says how
/// many processes each pool should have, and which have taken too long; its owner forks and kills.
class ScriptPools {
  public:
    explicit ScriptPools(const ServerConfig& config);

    bool empty() const { return pools_.empty(); }
    /// Readable once a worker has found that no process is free.
    int busy_fd() const { return busy_.get(); }
    void hear();
    /// A process has ended. False when it was none of these.
    bool forget(pid_t pid, int status, uint64_t now_ms);
    /// A worker has ended, and with it what its requests were for.
    void forget_worker(pid_t worker);
    bool has(pid_t pid) const { return processes_.contains(pid); }

    /// The pool that wants one more process now; -1: no pool does.
    int next(uint64_t now_ms) const;
    /// When to ask next() and look() again; -1: not before a process begins or ends, or is heard.
    int wait_ms(uint64_t now_ms) const;
    /// The place of the process to be forked for this pool.
    unsigned make_place(int pool);
    void forked(int pool, unsigned place, pid_t pid);

    /// A process that has taken longer with a request than its pool allows, or takes note of.
    struct Overdue {
        pid_t pid;
        uint64_t taken_ms;
        bool is_over;  ///< to be killed; otherwise to be told of
    };
    /// Ends idle processes that nobody has needed. Returns those that have taken too long, each once.
    std::vector<Overdue> look(uint64_t now_ms);

    /// In a process of a pool.
    ScriptSeat take_seat(int pool, unsigned place);
    /// In a worker: by EndpointSpec::processes_of.
    std::vector<ScriptProcesses> take_processes();
    /// In any other process that is forked.
    void close();

    template <typename F>
    void for_each(F&& f) const {
        for (const auto& [pid, process] : processes_)
            f(pid);
    }

  private:
    struct Pool {
        uint16_t endpoint = 0;
        unsigned most = 0;
        ScriptPool bounds;
        std::shared_ptr<const ScriptBoard> board;
        unsigned count = 0;
        unsigned failures = 0;
        uint64_t not_before_ms = 0;
        unsigned least_idle = 0;  ///< since `idle_since_ms`
        uint64_t idle_since_ms = 0;
        std::vector<UniqueFd> of_workers;    ///< a socket for each place
        std::vector<UniqueFd> of_processes;  ///< their other ends
        UniqueFd freed;
    };
    struct Process {
        int pool = 0;
        unsigned place = 0;
        uint64_t told_of = 0;  ///< the request that was told of as slow
    };

    static unsigned free_place(const Pool& pool);
    static bool wants_more(const Pool& pool);
    static bool is_looked_at(const Pool& pool);
    void end_idle(Pool& pool, uint64_t now_ms);

    std::vector<Pool> pools_;
    std::map<pid_t, Process> processes_;
    uint64_t look_due_ms_ = 0;
    UniqueFd busy_;
    UniqueFd teller_;
};

}  // namespace sluice
