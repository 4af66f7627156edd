#include "server/observer/process_figures.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {

ProcessFigures process_figures(pid_t pid) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
    const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
    char text[1024];
    const ssize_t bytes = file ? read(file.get(), text, sizeof text - 1) : -1;
    if (bytes <= 0) return {};
    text[bytes] = '\0';
    // Behind the name, which may have blanks and parentheses: fields 3 and following of proc(5).
    const char* const fields = strrchr(text, ')');
    unsigned long user = 0, system = 0;
    long pages = 0;
    if (!fields || sscanf(fields + 1,
                          " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u "
                          "%*u %ld",
                          &user, &system, &pages) != 3)
        return {};
    return {static_cast<uint64_t>(pages) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)),
            static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

}  // namespace sluice
