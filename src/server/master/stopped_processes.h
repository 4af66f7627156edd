#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <sys/types.h>

namespace sluice {

/// Children that somebody has stopped: by SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU. None of their threads runs,
/// so they cannot watch themselves. Says which one the log is to name, and later which one has to be killed;
/// its owner does both.
class StoppedProcesses {
  public:
    struct Due {
        pid_t pid;
        int signal;  ///< that has stopped it
        uint64_t stood_ms;
        bool is_over;  ///< kill it; otherwise tell of it
    };

    /// Stops that end earlier are not told.
    static constexpr uint64_t kTellMs = 1000;
    /// Whoever has stopped all processes lets all go on, this one maybe first. So nothing is done about a
    /// process before this one, too, has been running for so long.
    static constexpr uint64_t kLookAgainMs = 100;

    /// For how long a process may stand in one go; 0: for ever.
    void set_kill_ms(uint64_t kill_ms) { kill_ms_ = kill_ms; }

    /// Also for a process that is known: it has gone on meanwhile, and was stopped again.
    void stopped(pid_t pid, int signal, uint64_t now_ms);
    /// The process goes on, or has ended. For how long it has stood, when that was told.
    std::optional<uint64_t> forget(pid_t pid, uint64_t now_ms);

    /// What is to be done now, once for each process. Ask until there is nothing, after hearing of all that
    /// have gone on.
    std::optional<Due> next(uint64_t now_ms);
    /// When to ask next() again; -1: not before another process is stopped.
    int wait_ms(uint64_t now_ms) const;

  private:
    struct Process {
        int signal;
        uint64_t since_ms;
        uint64_t due_ms;  ///< 0: nothing is left to be done
        bool was_due = false;
        bool is_told = false;
    };

    uint64_t kill_ms_ = 0;
    std::map<pid_t, Process> processes_;
};

}  // namespace sluice
