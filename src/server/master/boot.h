#pragma once

#include <string>
#include <vector>

#include "core/unique_fd.h"
#include "shared/named_memories.h"

namespace sluice {

/// How a process that boots the script anew (reload) finds its master: descriptors that it has inherited,
/// named in one environment variable.
struct Boot {
    UniqueFd control;
    UniqueFd memory;
    unsigned generation = 0;
    std::vector<int> worker_doorbells;
    std::vector<int> reactor_doorbells;
    std::vector<NamedMemories::Named> memories;  ///< of the application's; the new process inherits() them
    std::string log_file;                        ///< empty: standard error
};

/// To be called once, before any PHP code runs: takes the variable out of the environment and keeps the
/// descriptors from programs that the script may start. True when a master has started this process; from
/// here on it writes to that one's log.
bool adopt_boot_environment();

/// What adopt_boot_environment() has found; `control` is empty when this process was not started by a master.
/// Once.
Boot take_boot();

/// The command line and directory of this process, to start it again. Read before the process title changes.
struct CommandLine {
    std::string executable;
    std::vector<std::string> arguments;
    std::string directory;

    static CommandLine of_this_process();
};

/// In a forked child: becomes a fresh process of the same command line with this Boot. Returns only when that
/// fails.
void exec_boot(const CommandLine& command, const Boot& boot);

}  // namespace sluice
