#include "php/server/forks.h"

#include <charconv>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/shared_memory.h"
#include "io/address.h"
#include "php/coroutine/scheduling.h"
#include "php/worker/forked_port.h"
#include "php/worker/worker.h"
#include "php/zend/wrapped_functions.h"
#include "server/master/worker_signals.h"

namespace sluice::php {

namespace {

/// Whether the socket is a listener of the server's, or a connection that came by one.
bool is_of_server(int fd, const WorkerIdentity& identity) {
    sockaddr_storage storage = {};
    socklen_t size = sizeof storage;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return false;
    const Address own = Address::from(storage);
    for (const std::string& text : identity.addresses) {
        if (storage.ss_family == AF_UNIX) {
            const sockaddr_un& name = reinterpret_cast<const sockaddr_un&>(storage);
            if (text == std::string("unix:") + name.sun_path) return true;
            continue;
        }
        // A listener of all addresses has connections of each.
        const std::optional<Address> listener = Address::parse(text);
        if (listener && own.is_ip() && own.port == listener->port) return true;
    }
    return false;
}

/// A client would else hear of the end of its connection when this process ends, too.
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
    take_signals_back();
    worker.port = std::make_unique<ForkedPort>(std::move(worker.port));
    worker.strings.abandon(*worker.port);
    close_sockets_of_server(worker.identity);
    worker.forked = true;
}

void fork_noticed(INTERNAL_FUNCTION_PARAMETERS) {
    const pid_t parent = getpid();
    // A signal for the child is not to meet the handlers of the worker's, which ignore it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (getpid() != parent && current_worker() && !current_worker()->forked) leave_server();
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
