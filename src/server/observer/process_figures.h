#pragma once

#include <cstdint>
#include <sys/types.h>

namespace sluice {

/// What the kernel tells of a process; 0 of one that has gone.
struct ProcessFigures {
    uint64_t resident_bytes = 0;
    double cpu_seconds = 0;  ///< user and system
};

ProcessFigures process_figures(pid_t pid);

}  // namespace sluice
