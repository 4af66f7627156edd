#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {

/// A descriptor that becomes readable when the child ends; its status is left to waitpid(2). Empty with errno
/// set when there is no such child, or no pidfd_open(2) (Linux before 5.3).
inline UniqueFd watch_child(pid_t pid) {
    return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace sluice
