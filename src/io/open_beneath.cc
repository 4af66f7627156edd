#include "io/open_beneath.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {

int open_beneath_by_steps(int folder, const char* path, int flags) {
    UniqueFd step;
    for (;;) {
        const int from = step ? step.get() : folder;
        const char* slash = strchr(path, '/');
        if (!slash || slash[1] == '\0') {
            char last[NAME_MAX + 1];
            const size_t size = slash ? static_cast<size_t>(slash - path) : strlen(path);
            if (size > NAME_MAX) {
                errno = ENAMETOOLONG;
                return -1;
            }
            memcpy(last, path, size);
            last[size] = '\0';
            return openat(from, size ? last : ".", flags | O_NOFOLLOW | (slash ? O_DIRECTORY : 0));
        }
        char name[NAME_MAX + 1];
        const size_t size = static_cast<size_t>(slash - path);
        if (size > NAME_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, path, size);
        name[size] = '\0';
        // `from` may be the step before: it stays open until this call is done.
        const int next = openat(from, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (next < 0) return -1;
        step.reset(next);
        path = slash + 1;
    }
}

int open_beneath(int folder, const char* path, int flags) {
    open_how how{};
    how.flags = static_cast<__u64>(flags);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    // EAGAIN: a rename during the walk left the kernel unsure whether the path escapes.
    for (int tries = 0; tries < 8; ++tries) {
        const long fd = syscall(SYS_openat2, folder, *path ? path : ".", &how, sizeof how);
        if (fd >= 0) return static_cast<int>(fd);
        if (errno == ENOSYS || errno == EPERM) return open_beneath_by_steps(folder, path, flags);
        if (errno != EAGAIN && errno != EINTR) return -1;
    }
    return -1;
}

}  // namespace sluice
