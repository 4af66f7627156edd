#pragma once

#include <span>
#include <sys/types.h>

#include "io/import_table.h"

namespace sluice::php {

/// Hooks of calls that wait for a disk: they run in threads.
std::span<const Redirection> file_hooks();

/// read() of a file: in a thread when it has to wait for the disk.
ssize_t read_file(int fd, void* data, size_t size);

}  // namespace sluice::php
