#include "io/temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace sluice {

UniqueFd open_and_unlink(const std::string& folder) {
    std::string path = folder + "/sluice-XXXXXX";
    UniqueFd file(mkostemp(path.data(), O_CLOEXEC));
    if (file) unlink(path.c_str());
    return file;
}

UniqueFd open_temporary_file(const std::string& folder) {
    UniqueFd file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600));
    // A kernel without O_TMPFILE sees O_DIRECTORY alone: EISDIR or EINVAL. A file system without it says
    // EOPNOTSUPP.
    if (!file && (errno == EISDIR || errno == EINVAL || errno == EOPNOTSUPP)) return open_and_unlink(folder);
    return file;
}

}  // namespace sluice
