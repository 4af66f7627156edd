// Master: what the system gives it: sockets, descriptors, rights; and what it says to who watches.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "io/datagram_socket.h"
#include "io/descriptor_limit.h"
#include "io/listener.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/reactor/descriptor_reserve.h"

namespace sluice {

// -- Sockets

InheritedListener* Master::find_inherited(const std::string& asked, const ListenAddress& bound, bool is_udp) {
    for (InheritedListener& inherited : inherited_) {
        if (inherited.fds.empty() || inherited.is_udp != is_udp) continue;
        const bool is_same = inherited.asked.empty() ? inherited.bound.to_string() == bound.to_string()
                                                     : inherited.asked == asked;
        if (is_same) return &inherited;
    }
    return nullptr;
}

/// An acceptor without a socket of its own shares that of another one. Where the kernel spreads connections over
/// sockets (SO_REUSEPORT), it gets one.
bool Master::adopt_sockets(Listener& listener, InheritedListener& inherited, std::string& error) {
    listener.bound = inherited.bound;
    listener.fds = std::move(inherited.fds);
    inherited.fds.clear();
    if (listener.fds.size() > acceptors_) listener.fds.resize(acceptors_);
    if (listener.bound.is_unix()) {
        listener.unix_listener =
            UnixListener::adopt(UniqueFd(fcntl(listener.fds[0].get(), F_DUPFD_CLOEXEC, 0)),
                                listener.bound.path, inherited.owns_file);
    }
    int shares = 0;
    socklen_t size = sizeof shares;
    getsockopt(listener.fds[0].get(), SOL_SOCKET, SO_REUSEPORT, &shares, &size);
    while (listener.fds.size() < acceptors_) {
        UniqueFd fd;
        if (shares && !listener.bound.is_unix()) {
            const auto open = listener.is_udp ? open_datagram_socket : open_listener;
            fd = open(listener.bound.ip, true, listener.bound.ip, error);
        }
        if (!fd) fd.reset(fcntl(listener.fds[0].get(), F_DUPFD_CLOEXEC, 0));
        if (!fd) {
            error = "Cannot listen on " + listener.asked + ": " + strerror(errno);
            return false;
        }
        listener.fds.push_back(std::move(fd));
    }
    return true;
}

void Master::close_unclaimed_sockets() {
    for (const InheritedListener& inherited : inherited_) {
        if (inherited.fds.empty()) continue;
        SLUICE_WARNING("a socket for %s%s%s was passed to this server, and the script does not listen there: it is closed",
                       inherited.bound.to_string().c_str(), inherited.name.empty() ? "" : ", called ",
                       inherited.name.c_str());
    }
    inherited_.clear();
}

// -- Descriptors

/// Each connection takes a descriptor, and any process of the server may come to have all of them. Where the
/// script has not chosen a number of connections, these are as many as the limit allows: see
/// DescriptorReserve.
void Master::raise_descriptors() const {
    const uint64_t limit = raise_descriptor_limit();
    const uint64_t reserve = DescriptorReserve::wanted(config_.limits, SharedLayout::shape_for(config_));
    const uint64_t wanted = kOwnDescriptors + DescriptorReserve::with(reserve, config_.limits.connections);
    if (limit >= wanted || config_.limits.connections == Limits{}.connections) return;
    SLUICE_WARNING(
        "each process may have %llu descriptors (ulimit -Hn), too few for %u connections "
        "(Limits::$connections) and the files and bodies beside them: raise the limit to %llu, or lower "
        "Limits::$connections",
        static_cast<unsigned long long>(limit), config_.limits.connections,
        static_cast<unsigned long long>(wanted));
}

// -- Rights

bool Master::may_become_who_is_asked(std::string& error) const {
    const auto& identity = config_.operations.identity;
    if (!identity || identity->is_possible()) return true;
    error = "The server cannot run as the user " + identity->user + ": it was started by user " +
            std::to_string(geteuid()) + ", and only root may become another one";
    return false;
}

/// In a process that has been forked, before it does anything for a client.
void Master::leave_privileges() const {
    if (config_.operations.umask >= 0) umask(static_cast<mode_t>(config_.operations.umask));
    const auto& identity = config_.operations.identity;
    if (!identity) return;
    const pid_t parent = getppid();
    if (!identity->become()) {
        SLUICE_ERROR("cannot become the user %s: %s", identity->user.c_str(), strerror(errno));
        _exit(1);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
}

/// The other processes open the log file anew, too.
void Master::open_log_to_user() const {
    const auto& identity = config_.operations.identity;
    if (config_.log_file.empty() || !identity || geteuid() != 0) return;
    if (chown(config_.log_file.c_str(), identity->uid, identity->gid) != 0)
        SLUICE_WARNING("cannot give the log file to the user %s: %s", identity->user.c_str(),
                       strerror(errno));
}

// -- Who watches

void Master::look_at_watchdog() {
    const uint64_t every_ms = notifier_.watchdog_ms();
    const uint64_t now_ms = monotonic_ms();
    if (every_ms == 0 || watchdog_due_ms_ > now_ms) return;
    watchdog_due_ms_ = now_ms + every_ms;
    notifier_.tell("WATCHDOG=1");
}

void Master::dump_state() {
    const uint64_t now_ms = monotonic_ms();
    const char* const doing = stop_ == Stop::kNo ? (pending_generation_ ? "reloading" : "serving") : "stopping";
    SLUICE_INFO("state: %s, generation %u, in %s mode", doing, current_generation_,
                config_.mode == Mode::kProcess ? "process" : "base");
    for (const Listener& listener : listeners_)
        SLUICE_INFO("state: listens on %s by %zu sockets", listener.bound.to_string().c_str(),
                    listener.fds.size());
    if (config_.mode == Mode::kProcess) {
        if (reactor_pid_) {
            SLUICE_INFO("state: reactor process %d, for %.1f s", static_cast<int>(reactor_pid_),
                        static_cast<double>(now_ms - reactor_started_ms_) / 1000);
        } else {
            SLUICE_INFO("state: no reactor process");
        }
    }
    for (const auto& generation : generations_)
        SLUICE_INFO("state: generation %u is process %d, %s", generation->number,
                    static_cast<int>(generation->pid),
                    generation->retiring  ? "ending"
                    : generation->booted ? "booted"
                                         : "booting");
    static constexpr const char* kStates[] = {"free", "booting", "ready", "draining", "stopping", "gone"};
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        const Worker& worker = workers_[slot];
        if (worker.state == WorkerState::kFree) continue;
        const WorkerCell& cell = layout_.worker(slot);
        SLUICE_INFO("state: %s is %s, for %.1f s, has begun %u handlers, %u of which wait for their turn, and "
                    "handled %llu messages",
                    describe_worker(slot).c_str(), kStates[static_cast<size_t>(worker.state)],
                    static_cast<double>(now_ms - worker.started_ms) / 1000, cell.handlers.load(),
                    cell.waiting.load(), static_cast<unsigned long long>(cell.handled.load()));
    }
}

}  // namespace sluice
