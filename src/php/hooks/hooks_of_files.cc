#include "php/hooks/hooks_of_files.h"

#include <cerrno>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"
#include "php/hooks/hook_groups.h"

namespace sluice::php {

namespace {

/// PHP's own functions can be suspended anywhere. Other libraries, such as SQLite, have locks that exclude
/// other threads, but not another coroutine of this thread.
bool is_called_by_php_itself() {
    const zend_execute_data* frame = EG(current_execute_data);
    if (!frame || !frame->func || frame->func->type != ZEND_INTERNAL_FUNCTION) return false;
    const zend_module_entry* module = frame->func->internal_function.module;
    return module && (strcmp(module->name, "standard") == 0 || strcmp(module->name, "SPL") == 0);
}

/// A call whose memory and descriptor are the caller's.
struct FileJob final : ThreadJob {
    enum class Call { kRead, kSync, kSyncData } call = Call::kRead;
    int fd = -1;
    void* data = nullptr;
    size_t size = 0;
    ssize_t answer = -1;
    int error = 0;

    void run() override {
        switch (call) {
            case Call::kRead: answer = read(fd, data, size); break;
            case Call::kSync: answer = fsync(fd); break;
            case Call::kSyncData: answer = fdatasync(fd); break;
        }
        error = errno;
    }
};

ssize_t in_thread(Coroutine& self, FileJob::Call call, int fd, void* data, size_t size) {
    FileJob* job = new FileJob;
    job->call = call;
    job->fd = fd;
    job->data = data;
    job->size = size;
    if (wait_for_job(self, *job) || job->done_fd() < 0) {
        // The job has run, or was never begun.
        if (job->done_fd() < 0) job->run();
    } else {
        // Interrupted: wait for the end all the same. A disk answers, and the job must not outlive its
        // buffer.
        pollfd done = {job->done_fd(), POLLIN, 0};
        while (poll(&done, 1, -1) <= 0) {
        }
    }
    const ssize_t answer = job->answer;
    const int error = job->error;
    job->drop_ref();
    errno = error;
    return answer;
}

int hooked_fsync(int fd) {
    Coroutine* self = is_own_thread() && is_called_by_php_itself() ? hookable() : nullptr;
    return self ? static_cast<int>(in_thread(*self, FileJob::Call::kSync, fd, nullptr, 0)) : fsync(fd);
}

int hooked_fdatasync(int fd) {
    Coroutine* self = is_own_thread() && is_called_by_php_itself() ? hookable() : nullptr;
    return self ? static_cast<int>(in_thread(*self, FileJob::Call::kSyncData, fd, nullptr, 0))
                : fdatasync(fd);
}

const Redirection kHooks[] = {SLUICE_HOOK(fsync), SLUICE_HOOK(fdatasync)};

}  // namespace

ssize_t read_file(int fd, void* data, size_t size) {
    if (!(installed_hooks() & kFileHooks) || !is_called_by_php_itself()) return read(fd, data, size);
    // Bytes in the page cache cost only the call. They may be the first part only, and a short read would
    // mean the end of the file to PHP.
    size_t done = 0;
    while (done < size) {
        iovec rest = {static_cast<char*>(data) + done, size - done};
        ssize_t got = preadv2(fd, &rest, 1, -1, RWF_NOWAIT);
        if (got < 0) {
            Coroutine* self = errno == EAGAIN ? hookable() : nullptr;
            got = self ? in_thread(*self, FileJob::Call::kRead, fd, rest.iov_base, rest.iov_len)
                       : read(fd, rest.iov_base, rest.iov_len);
        }
        if (got < 0 && done == 0) return -1;
        if (got <= 0) break;
        done += static_cast<size_t>(got);
    }
    return static_cast<ssize_t>(done);
}

std::span<const Redirection> file_hooks() {
    return kHooks;
}

}  // namespace sluice::php
