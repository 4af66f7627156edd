// Master: the reactor process, and what follows from its death.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/master/process_status.h"
#include "server/master/reactor_process.h"
#include "server/master/worker_signals.h"
#include "server/seam/control.h"
#include "server/seam/server_stats.h"

namespace sluice {

bool Master::start_reactor() {
    if (config_.mode == Mode::kBase) return true;
    ControlChannel theirs;
    if (!ControlChannel::create_pair(reactor_, theirs)) return false;
    pid_t self = getpid();
    fflush(nullptr);
    reactor_pid_ = fork();
    if (reactor_pid_ < 0) return false;
    if (reactor_pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        in_child_ = true;
        leave_privileges();
        leave_signals_to_master();
        block_signals(false);
        hooks_.set_title("sluice: reactor of " + config_.script);
        prctl(PR_SET_NAME, "sluice-reactor");
        ReactorProcessWiring wiring;
        wiring.control = std::move(theirs);
        wiring.layout = std::move(layout_);
        wiring.limits = config_.limits;
        wiring.temporary_folder = config_.temporary_folder;
        wiring.worker_doorbells = raw_fds(worker_doorbells_);
        wiring.reactor_doorbells = raw_fds(reactor_doorbells_);
        reactor_.close();
        listeners_.clear();
        forget_admin();
        generations_.clear();
        NamedMemories::of_this_process().forget();
        serve_reactors(std::move(wiring));
    }
    poller_.add(reactor_.fd(), EPOLLIN, kReactorToken);
    reactor_started_ms_ = monotonic_ms();
    return true;
}

void Master::reactor_died(int status) {
    reactor_pid_ = 0;
    if (reactor_) poller_.remove(reactor_.fd());
    reactor_.close();
    for (Worker& worker : workers_)
        if (worker.state == WorkerState::kGone) worker.state = WorkerState::kFree;  // nobody else knows them
    if (stop_ == Stop::kDraining) stop_workers(true);  // no connection is left
    if (stop_ != Stop::kNo) return;
    const std::string what =
        "The reactor process " + describe_status(status) + "; every connection is lost";
    if (!banner_printed_) {
        failure_ = what;
        SLUICE_ERROR("%s; stopping, as the server has never served", what.c_str());
        stop_workers(false);
        return;
    }
    const uint64_t now_ms = monotonic_ms();
    reactor_failures_ = now_ms - reactor_started_ms_ < kShortLifeMs ? reactor_failures_ + 1 : 0;
    uint64_t delay_ms = 0;
    if (reactor_failures_ > 0)
        delay_ms = std::min(kLongestBackOffMs, kFirstBackOffMs << std::min(reactor_failures_ - 1, 10u));
    reactor_at_ms_ = now_ms + delay_ms;
    SLUICE_ERROR("%s; starting it again in %llu ms, with new workers", what.c_str(),
                 static_cast<unsigned long long>(delay_ms));
    look_at_canary_ms_ = 0;
    if (Generation* const pending = find_generation(pending_generation_)) pending->is_canary = false;
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        Worker& worker = workers_[slot];
        if (worker.state == WorkerState::kFree) continue;
        worker.is_orphan = true;
        if (worker.state == WorkerState::kStopping) continue;
        worker.state = WorkerState::kStopping;
        order_stop(worker, config_.limits.shutdown_ms);
    }
}

/// Starts another reactor process for the listeners. It gets other shared memory, and its workers with it:
/// what the dead one has left half-written stays with the old workers, which finish what they have begun,
/// and goes with the last of them.
void Master::revive_reactor() {
    reactor_at_ms_ = 0;
    SharedLayout next = SharedLayout::create(SharedLayout::shape_for(config_));
    if (!next) {
        SLUICE_ERROR("cannot create shared memory for the reactor: %s; trying again in %llu ms",
                     strerror(errno), static_cast<unsigned long long>(kLongestBackOffMs));
        reactor_at_ms_ = monotonic_ms() + kLongestBackOffMs;
        return;
    }
    next.carry_over(layout_);
    layout_ = std::move(next);
    log::share(layout_.server().shared_log);
    shape_ = publish_shape(layout_.shape());
    renew_observer();
    WireWriter order;
    order.put(Control::kMemory);
    order.put(layout_.shape());
    const int memory = layout_.fd();
    for (auto& generation : generations_)
        if (!generation->retiring) generation->control.send(order.bytes(), {&memory, 1});
    if (!start_reactor()) {
        SLUICE_ERROR("cannot start the reactor process: %s; trying again in %llu ms", strerror(errno),
                     static_cast<unsigned long long>(kLongestBackOffMs));
        reactor_.close();
        reactor_pid_ = 0;
        reactor_at_ms_ = monotonic_ms() + kLongestBackOffMs;
        return;
    }
    send_endpoints(endpoints_, false);
    for (const Listener& listener : listeners_)
        if (listener.has_endpoint) send_listener(listener);
    for (auto& generation : generations_) {
        const bool is_wanted =
            generation->number == current_generation_ || generation->number == pending_generation_;
        if (!is_wanted || !generation->booted) continue;
        start_pools(*generation);
        for (unsigned instance = 0; instance < range_.wanted(); ++instance)
            start_worker(*generation, instance);
        generation->workers_at_first = range_.wanted();
    }
    if (current()) start_services();
}

/// An orphan is a worker of a reactor that has died.
void Master::orphan_exited(unsigned slot, const std::string& who, int status) {
    const unsigned generation = workers_[slot].generation;
    const unsigned instance = workers_[slot].instance;
    forget_worker(slot);
    SLUICE_INFO("%s, whose reactor has died, %s", who.c_str(), describe_status(status).c_str());
    if (stop_ == Stop::kNo && is_service_instance(instance)) start_service(instance);
    stop_lonely_pools(generation);
    retire_when_empty(generation);
}

}  // namespace sluice
