#pragma once

#include <string>
#include <sys/types.h>

namespace sluice {

/// "exited with status 255", "was killed by signal 11 (Segmentation fault)": a status of waitpid(2).
std::string describe_status(int status);

}  // namespace sluice
