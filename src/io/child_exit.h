#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {

/// A descriptor that is readable from when the child has ended, without taking its status from waitpid(2).
/// Empty with errno set when there is no such child, or the kernel (before 5.3) cannot.
inline UniqueFd watch_child(pid_t pid) {
    return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace sluice
