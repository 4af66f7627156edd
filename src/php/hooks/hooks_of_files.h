#pragma once

#include <span>
#include <sys/types.h>

#include "io/import_table.h"

namespace sluice::php {

/// The calls that wait for a disk, which are made in threads.
std::span<const Redirection> file_hooks();

/// read() of what is neither a socket nor a pipe: in a thread when the disk has to be asked.
ssize_t read_file(int fd, void* data, size_t size);

}  // namespace sluice::php
