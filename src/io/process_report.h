#pragma once

#include <string>

namespace sluice {

/// What a process has to say of itself when it crashes (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT), and when
/// it is asked (SIGQUIT). A signal may come in the midst of anything, such as malloc(). So the handler makes a
/// copy of the process, and the copy tells, with at most kMostS seconds to do so. A crash then ends the
/// process as it would have done: by the same signal, with a core file where these are wanted.
class ProcessReport {
  public:
    static constexpr unsigned kMostS = 2;

    /// Called in the copy: what the process is doing, in lines. `is_crash`: its memory may be in any state.
    using Describe = std::string (*)(bool is_crash);

    /// From now on, in this process and those that it forks. Crashes are also written to a file each in
    /// `folder`, unless that is empty. A handler that is there already stays: a sanitiser's, the
    /// application's.
    static void begin(const std::string& folder, Describe describe);
    /// Another description, as the process has become another one.
    static void describe_by(Describe describe);
    /// The ELF build id of this extension, as gdb and debuginfod know it.
    static std::string build_id();
};

}  // namespace sluice
