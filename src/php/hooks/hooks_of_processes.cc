#include "php/hooks/hooks_of_processes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"

extern char** environ;

namespace sluice::php {

namespace {

// -- Waiting for children

/// A descriptor that is readable once the process has ended; -1 with errno set on failure.
int open_process(pid_t pid) {
    return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
}

/// Repeats `attempt`, which does not block and returns 0 while nothing has happened. `pid`: the one process
/// whose end is awaited; otherwise waits for signals in between.
template <typename Attempt>
pid_t until_something_happens(Coroutine& self, pid_t pid, Attempt&& attempt) {
    Repeated again;
    for (;;) {
        const pid_t happened = attempt();
        if (happened != 0) return happened;
        const int process = pid > 0 ? open_process(pid) : -1;
        if (process < 0) {
            if (!again.pause(self)) return -1;
            continue;
        }
        pollfd one = {process, POLLIN, 0};
        const int ready = wait_in_poll(self, &one, 1, -1);
        const int error = errno;
        close(process);
        errno = error;
        if (ready < 0) return -1;
    }
}

pid_t hooked_wait4(pid_t pid, int* status, int options, rusage* usage) {
    if (options & WNOHANG) return wait4(pid, status, options, usage);
    if (is_interrupted()) return refuse_to_wait();
    Coroutine* self = hookable();
    if (!self) return wait4(pid, status, options, usage);
    // A pidfd does not report stops and continuations.
    const pid_t whose_end = (options & (WUNTRACED | WCONTINUED)) ? 0 : pid;
    return until_something_happens(*self, whose_end,
                                   [=] { return wait4(pid, status, options | WNOHANG, usage); });
}

pid_t hooked_waitpid(pid_t pid, int* status, int options) {
    return hooked_wait4(pid, status, options, nullptr);
}

pid_t hooked_wait(int* status) {
    return hooked_wait4(-1, status, 0, nullptr);
}

pid_t hooked_wait3(int* status, int options, rusage* usage) {
    return hooked_wait4(-1, status, options, usage);
}

int hooked_waitid(idtype_t kind, id_t id, siginfo_t* info, int options) {
    Coroutine* self = (options & WNOHANG) ? nullptr : hookable();
    if (!self) {
        if (!(options & WNOHANG) && is_interrupted()) return refuse_to_wait();
        return waitid(kind, id, info, options);
    }
    const pid_t whose_end =
        kind == P_PID && !(options & (WSTOPPED | WCONTINUED)) ? static_cast<pid_t>(id) : 0;
    const pid_t happened = until_something_happens(*self, whose_end, [=]() -> pid_t {
        siginfo_t found = {};
        if (waitid(kind, id, &found, options | WNOHANG) != 0) return -1;
        if (found.si_pid != 0 && info) *info = found;
        return found.si_pid;
    });
    return happened < 0 ? -1 : 0;
}

// -- popen() and pclose(), whose child process is known to the C library only

struct OpenPipe {
    FILE* file;
    pid_t pid;
};
std::vector<OpenPipe>* open_pipes;
/// Children whose pclose() was interrupted: reaped later.
std::vector<pid_t>* left_behind;

void bury_those_left_behind() {
    if (!left_behind) return;
    std::erase_if(*left_behind, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) != 0; });
}

pid_t spawn_shell(const char* command, int end, int target) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, target);
    const char* arguments[] = {"sh", "-c", command, nullptr};
    pid_t pid = -1;
    const int error = posix_spawn(&pid, "/bin/sh", &actions, nullptr, const_cast<char**>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error ? -1 : pid;
}

FILE* hooked_popen(const char* command, const char* mode) {
    const bool reads = strchr(mode, 'r');
    if (!hookable() || reads == (strchr(mode, 'w') != nullptr)) return popen(command, mode);
    bury_those_left_behind();
    int ends[2];
    // Close-on-exec: no other child inherits these ends.
    if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    const int own = reads ? ends[0] : ends[1];
    const int other = reads ? ends[1] : ends[0];
    const pid_t pid = spawn_shell(command, other, reads ? STDOUT_FILENO : STDIN_FILENO);
    FILE* file = pid > 0 ? fdopen(own, reads ? "r" : "w") : nullptr;
    const int error = errno;
    close(other);
    if (!file) {
        close(own);
        errno = error;
        return nullptr;
    }
    if (!open_pipes) open_pipes = new std::vector<OpenPipe>;
    open_pipes->push_back({file, pid});
    return file;
}

int hooked_pclose(FILE* file) {
    pid_t pid = 0;
    if (open_pipes && is_own_thread()) {
        for (OpenPipe& one : *open_pipes) {
            if (one.file != file) continue;
            pid = one.pid;
            one = open_pipes->back();
            open_pipes->pop_back();
            break;
        }
    }
    send_away_from(fileno(file));
    if (pid == 0) return pclose(file);
    fclose(file);
    int status = 0;
    const pid_t ended = hooked_waitpid(pid, &status, 0);
    if (ended == pid) return status;
    if (is_interrupted()) {
        if (!left_behind) left_behind = new std::vector<pid_t>;
        left_behind->push_back(pid);
    }
    return -1;
}

const Redirection kHooks[] = {SLUICE_HOOK(waitpid), SLUICE_HOOK(wait),   SLUICE_HOOK(wait3),
                              SLUICE_HOOK(wait4),   SLUICE_HOOK(waitid), SLUICE_HOOK(popen),
                              SLUICE_HOOK(pclose)};

}  // namespace

std::span<const Redirection> process_hooks() {
    return kHooks;
}

}  // namespace sluice::php
