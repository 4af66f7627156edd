#include "php/server/forks.h"

#include <charconv>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/shared_memory.h"
#include "php/coroutine/coroutine.h"
#include "php/coroutine/scheduling.h"
#include "php/hooks/open_transactions.h"
#include "php/tasks/script_loop.h"
#include "php/worker/forked_port.h"
#include "php/worker/server_sockets.h"
#include "php/worker/worker.h"
#include "php/zend/wrapped_functions.h"
#include "server/master/worker_signals.h"

namespace sluice::php {

namespace {

/// While a forked child has a connection open, the client does not see that the server has closed it.
void close_sockets_of_server(const WorkerIdentity& identity) {
    DIR* const descriptors = opendir("/proc/self/fd");
    if (!descriptors) return;
    while (const dirent* entry = readdir(descriptors)) {
        const std::string_view name = entry->d_name;
        int fd = -1;
        std::from_chars(name.data(), name.data() + name.size(), fd);
        if (fd >= 0 && is_of_server(fd, identity)) close(fd);
    }
    closedir(descriptors);
}

void leave_server() {
    Worker& worker = *current_worker();
    SharedMemory::keep_writes_to_this_process();
    abandon_scheduling();
    forget_transactions();
    take_signals_back();
    worker.port = std::make_unique<ForkedPort>(std::move(worker.port));
    worker.strings.abandon(*worker.port);
    worker.identity.request_queues.clear();
    close_sockets_of_server(worker.identity);
    worker.forked = true;
}

void fork_noticed(INTERNAL_FUNCTION_PARAMETERS) {
    const pid_t parent = getpid();
    // Block signals: one for the child must not reach the worker's handlers, which ignore it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (getpid() != parent) {
        if (current_worker() && !current_worker()->forked) leave_server();
        if (!enclosing_coroutine()) leave_script_loop();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

template <typename F>
void for_each_fork(F&& f) {
    for (const char* name : {"pcntl_fork", "pcntl_rfork"})
        if (void* function = zend_hash_str_find_ptr(CG(function_table), name, strlen(name)))
            f(static_cast<zend_function*>(function));
}

}  // namespace

void guard_forks() {
    for_each_fork([](zend_function* function) { wrap_function(function, fork_noticed); });
}

void release_forks() {
    for_each_fork([](zend_function* function) { unwrap_function(function, fork_noticed); });
}

}  // namespace sluice::php
