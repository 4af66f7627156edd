#pragma once

#include <string>

#include "core/unique_fd.h"

namespace sluice {

/// A new empty file without a name: nothing of it is left when the last descriptor is closed, however the
/// processes end. Only its owner could open it. Empty with errno on failure.
UniqueFd open_temporary_file(const std::string& folder);

/// open_temporary_file() for file systems without O_TMPFILE: the file has a name for a
/// moment.
UniqueFd open_and_unlink(const std::string& folder);

}  // namespace sluice
