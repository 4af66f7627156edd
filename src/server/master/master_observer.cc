// Master: the admin listener, and the observer that serves it.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "io/listener.h"
#include "server/config/manifest.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/master/process_status.h"
#include "server/master/worker_signals.h"
#include "server/observer/observer_process.h"
#include "server/seam/control.h"
#include "shared/metric_registry.h"

namespace sluice {

namespace {
/// Permissions of a Unix socket: whoever may connect may read the figures.
constexpr mode_t kAdminMode = 0600;
/// How long the end of the server waits for the last traces to be sent.
constexpr uint64_t kLastTracesMs = 1000;
}  // namespace

/// The master keeps the listener, so that clients who come while no observer lives wait for the next one.
bool Master::open_admin(std::string& error) {
    if (config_.admin.address.empty()) return true;
    const std::optional<ListenAddress> address = ListenAddress::parse(config_.admin.address);
    if (!address) {
        error = "Cannot listen on \"" + config_.admin.address + "\": it is not an address and port";
        return false;
    }
    admin_address_ = *address;
    if (InheritedListener* const inherited = find_inherited(config_.admin.address, *address, false)) {
        admin_ = std::move(inherited->fds[0]);
        inherited->fds.clear();
        if (!address->is_unix()) return true;
        unix_admin_ = UnixListener::adopt(UniqueFd(fcntl(admin_.get(), F_DUPFD_CLOEXEC, 0)), address->path,
                                          inherited->owns_file);
        return true;
    }
    if (!address->is_unix()) {
        admin_ = open_listener(address->ip, false, admin_address_.ip, error);
        return static_cast<bool>(admin_);
    }
    unix_admin_ = UnixListener::open(address->path, kAdminMode, error);
    if (!unix_admin_) return false;
    admin_.reset(fcntl(unix_admin_.fd(), F_DUPFD_CLOEXEC, 0));
    if (!admin_) error = "Cannot listen on " + config_.admin.address + ": " + strerror(errno);
    return static_cast<bool>(admin_);
}

/// True when there is nothing for it to do. The process is forked from this one, which runs no PHP any more
/// and has one thread, at any time.
bool Master::start_observer() {
    start_observer_at_ms_ = 0;
    if (!admin_ && config_.tracing.endpoint.empty()) return true;
    ControlChannel theirs;
    if (!ControlChannel::create_pair(observer_, theirs)) return false;
    const pid_t self = getpid();
    told_reloads_ = report_of_reloads();
    fflush(nullptr);
    observer_pid_ = fork();
    if (observer_pid_ < 0) {
        observer_pid_ = 0;
        observer_.close();
        return false;
    }
    if (observer_pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        in_child_ = true;
        leave_privileges();
        leave_signals_to_master();
        block_signals(false);
        hooks_.set_title("sluice: observer of " + config_.script);
        prctl(PR_SET_NAME, "sluice-observer");
        ObserverProcessWiring wiring{
            {std::move(layout_), config_, std::make_shared<Endpoints>(std::move(endpoints_)),
             std::move(theirs), MetricRegistry::of_this_process(), std::move(memories_), told_reloads_,
             told_services_},
            std::move(admin_)};
        // Whoever is at the other end of these waits for their end.
        observer_.close();
        reactor_.close();
        generations_.clear();
        workers_.clear();
        listeners_.clear();
        poller_.close();
        signals_.reset();
        NamedMemories::of_this_process().forget(MetricRegistry::kMemoryName);
        serve_observer(std::move(wiring));
    }
    layout_.server().observer_starts.fetch_add(1, std::memory_order_relaxed);
    observer_began_ms_ = monotonic_ms();
    poller_.add(observer_.fd(), EPOLLIN, kObserverToken);
    return true;
}

/// For whoever looks at the shared memory.
void Master::publish_state() const {
    ServerCell& cell = layout_.server();
    using State = ServerCell::State;
    cell.state.store(stop_ != Stop::kNo ? State::kDraining
                     : banner_printed_  ? State::kServing
                                        : State::kStarting,
                     std::memory_order_relaxed);
    cell.generation.store(current_generation_, std::memory_order_relaxed);
    cell.pending_generation.store(pending_generation_, std::memory_order_relaxed);
    cell.canary.store(is_canary_under_way(), std::memory_order_relaxed);
    cell.workers_wanted.store(range_.wanted(), std::memory_order_relaxed);
    cell.reactor_pid.store(reactor_pid_, std::memory_order_relaxed);
}

/// Before the worker is forgotten.
void Master::count_end(unsigned slot, bool was_ready, int status) const {
    const Worker& worker = workers_[slot];
    if (is_service(slot)) return;
    const bool was_told = worker.state == WorkerState::kStopping || worker.state == WorkerState::kDraining ||
                          stop_ != Stop::kNo;
    const WorkerEnd end = worker.replaced || worker.leaves ? WorkerEnd::kReplaced
                          : was_told && status == 0        ? WorkerEnd::kRetired
                          : !was_ready                     ? WorkerEnd::kNotReady
                          : WIFSIGNALED(status)            ? WorkerEnd::kKilled
                                                           : WorkerEnd::kExited;
    layout_.server().worker_ends[static_cast<size_t>(end)].fetch_add(1, std::memory_order_relaxed);
}

void Master::on_observer() {
    while (auto message = observer_.receive()) {
        WireReader reader(message->bytes);
        switch (reader.get<Control>()) {
            case Control::kWantReload: reload(); break;
            case Control::kWantStop: stop(true); break;
            default: break;
        }
    }
    if (observer_.eof()) {
        poller_.remove(observer_.fd());
        observer_.close();
    }
}

void Master::observer_died(int status) {
    observer_pid_ = 0;
    if (observer_) poller_.remove(observer_.fd());
    observer_.close();
    SLUICE_WARNING("the observer %s; a new one takes its place", describe_status(status).c_str());
    const uint64_t now_ms = monotonic_ms();
    start_observer_at_ms_ = now_ms + (now_ms - observer_began_ms_ < kShortLifeMs ? kFirstBackOffMs : 0);
}

/// It sees the memory of a reactor process that has died.
void Master::renew_observer() {
    if (observer_pid_) kill(observer_pid_, SIGKILL);
}

/// The master that takes over has one of its own.
void Master::leave_admin_to_successor() {
    unix_admin_.disown_file();
    end_observer();
    admin_.reset();
}

/// It has nothing to finish but the traces that it has not sent.
void Master::end_observer() {
    observer_.close();
    if (observer_pid_) {
        const uint64_t until_ms = monotonic_ms() + (config_.tracing.endpoint.empty() ? 0 : kLastTracesMs);
        while (monotonic_ms() < until_ms) {
            if (waitpid(observer_pid_, nullptr, WNOHANG) == observer_pid_) {
                observer_pid_ = 0;
                unix_admin_.remove();
                return;
            }
            usleep(5000);
        }
        kill(observer_pid_, SIGKILL);
        while (waitpid(observer_pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
        observer_pid_ = 0;
    }
    unix_admin_.remove();
}

/// Never waits for the observer: one that does not read what it is told is replaced.
void Master::tell_observer(std::string_view bytes, std::span<const int> fds) {
    if (!observer_) return;
    pollfd writable{observer_.fd(), POLLOUT, 0};
    if (poll(&writable, 1, 0) == 1 && (writable.revents & POLLOUT)) {
        observer_.send(bytes, fds);
    } else if (observer_pid_) {
        kill(observer_pid_, SIGKILL);
    }
}

void Master::tell_observer_of_endpoints() {
    WireWriter order;
    order.put(Control::kEndpoints);
    order.put(false);
    write_endpoints(order, endpoints_);
    tell_observer(order.bytes());
}

ReloadReport Master::report_of_reloads() {
    ReloadReport report;
    report.last = last_reload_;
    if (is_canary_under_way()) {
        const double share = find_generation(pending_generation_)->config.canary.share;
        report.canary = {pending_generation_, is_canary_settling_ ? 0 : share, canary_until_ms_};
    }
    return report;
}

/// Only what is new.
void Master::tell_observer_of_reloads() {
    ReloadReport report = report_of_reloads();
    if (report == told_reloads_) return;
    WireWriter order;
    order.put(Control::kReloads);
    report.write(order);
    tell_observer(order.bytes());
    told_reloads_ = std::move(report);
}

void Master::tell_observer_of_services() {
    ServiceReport report = report_of_services();
    if (report == told_services_) return;
    WireWriter order;
    order.put(Control::kServices);
    report.write(order);
    tell_observer(order.bytes());
    told_services_ = std::move(report);
}

void Master::tell_observer_of_memories() {
    WireWriter order;
    order.put(Control::kNamedMemories);
    std::vector<int> fds;
    for (const NamedMemories::Item& memory : memories_) {
        order.put_string(memory.name);
        fds.push_back(memory.fd.get());
    }
    tell_observer(order.bytes(), fds);
}

}  // namespace sluice
