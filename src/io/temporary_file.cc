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
    // What a kernel or a file system says that knows no O_TMPFILE; the first two are what it would be
    // otherwise.
    if (!file && (errno == EISDIR || errno == EINVAL || errno == EOPNOTSUPP)) return open_and_unlink(folder);
    return file;
}

}  // namespace sluice
