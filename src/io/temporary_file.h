#pragma once

#include <string>

#include "core/unique_fd.h"

namespace sluice {

/// A new empty file that has no name, so that nothing of it is left when the last descriptor is closed,
/// however the processes end. Only its owner could open it. errno says why there is none.
UniqueFd open_temporary_file(const std::string& folder);

/// open_temporary_file() without O_TMPFILE, for file systems that have no such thing: for a moment it has a
/// name.
UniqueFd open_and_unlink(const std::string& folder);

}  // namespace sluice
