#pragma once

#include <string>
#include <sys/types.h>

namespace sluice {

/// "exited with status 255", "was killed by signal 11 (Segmentation fault)": a waitpid status in words.
std::string describe_status(int status);

}  // namespace sluice
