#pragma once

#include <string>
#include <vector>

#include "core/unique_fd.h"
#include "server/seam/shared_layout.h"
#include "shared/named_memories.h"

namespace sluice {

/// How a process that boots the script anew (reload) finds its master: inherited descriptors, whose numbers
/// are in one environment variable.
struct Boot {
    UniqueFd control;
    UniqueFd memory;
    SharedLayout::Shape shape;  ///< of `memory`
    unsigned generation = 0;
    std::vector<int> worker_doorbells;
    std::vector<int> reactor_doorbells;
    std::vector<NamedMemories::Named> memories;  ///< the application's; the new process inherit()s them
    std::string log_file;                        ///< empty: standard error
    bool logs_json = false;
    unsigned least_level = 0;
};

/// Call it once, before any PHP code runs: removes the variable from the environment, and makes the
/// descriptors close-on-exec. True when a master has started this process, which then writes to the master's
/// log.
bool adopt_boot_environment();

/// The descriptor by which the master that this one is to replace speaks, once; see Handover. -1: there is
/// none.
int take_predecessor();

/// The time by CLOCK_REALTIME at which adopt_boot_environment() was called.
const timespec& process_began();

/// Takes what adopt_boot_environment() has found, once; `control` is empty when no master has started this
/// process.
Boot take_boot();

/// The command line, directory and environment that this process was started with, to start it again. Read
/// before the process title changes. What the script adds to its environment, as from a file `.env`, it adds
/// anew after a reload; only variables that begin with SLUICE_PASSED_ go from one generation to the next.
struct CommandLine {
    std::string executable;
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
    std::string directory;

    static CommandLine of_this_process();
};

/// This directory by the name that its user knows, else getcwd(): a deployment switches a symbolic link to
/// the next release, and a reload must follow that link. The name is $PWD, which systemd does not set, and a
/// shell to getcwd(); or what an absolute path on the command line, such as that of the script, begins with.
std::string directory_of(const std::vector<std::string>& arguments);

/// In a forked child: executes the command line anew, with this Boot. Returns only when that
/// fails.
void exec_boot(const CommandLine& command, const Boot& boot);
/// In a forked child: executes the command line anew, as a master that speaks with this one by the descriptor.
void exec_successor(const CommandLine& command, int channel);

}  // namespace sluice
