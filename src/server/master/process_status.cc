#include "server/master/process_status.h"

#include <cstring>
#include <sys/wait.h>

namespace sluice {

std::string describe_status(int status) {
    if (WIFSIGNALED(status)) {
        return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")" + (WCOREDUMP(status) ? ", core dumped" : "");
    }
    return "exited with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace sluice
