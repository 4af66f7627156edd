#include "server/master/master.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/log_format.h"
#include "core/wire.h"
#include "io/listener.h"
#include "io/process_report.h"
#include "io/put_at_once.h"
#include "server/config/manifest.h"
#include "server/master/early_reload.h"
#include "server/master/master_internal.h"
#include "server/seam/control.h"
#include "server/seam/transport.h"

namespace sluice {

void block_signals(bool block) {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : kSignals)
        sigaddset(&set, signal);
    sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}

std::vector<int> raw_fds(const std::vector<UniqueFd>& fds) {
    std::vector<int> result;
    for (const UniqueFd& fd : fds)
        result.push_back(fd.get());
    return result;
}

Master::Master(const ServerConfig& config, const LaunchHooks& hooks)
    : config_(config),
      hooks_(hooks),
      command_(CommandLine::of_this_process()),
      range_(config.least_workers ? config.least_workers : config.workers, config.workers) {
    if (const int fd = take_predecessor(); fd >= 0) predecessor_ = ControlChannel(UniqueFd(fd));
}

Master::~Master() {
    if (in_child_) return;
    end_observer();
    close_listeners();
    pid_file_.remove();
    if (signals_) {
        // A signal that came while the server ended would kill this process now, though all has gone well.
        sigset_t set;
        sigemptyset(&set);
        for (int signal : kSignals)
            sigaddset(&set, signal);
        const timespec at_once{};
        while (sigtimedwait(&set, nullptr, &at_once) > 0) {
        }
        if (everything_ended() && failure_.empty()) hooks_.has_ended();
        block_signals(false);
    }
}

LaunchResult Master::serve() {
    LaunchResult failed;
    acceptors_ = config_.mode == Mode::kProcess ? config_.reactors : config_.workers;
    if (!may_become_who_is_asked(failed.error)) return failed;
    if (config_.operations.umask >= 0) umask(static_cast<mode_t>(config_.operations.umask));
    log::put_lines_by(put_at_once);
    log::set_format(config_.operations.logs_json, static_cast<log::Level>(config_.operations.least_level));
    if (!log::open_file(config_.log_file)) {
        failed.error = "Cannot write to the log file " + config_.log_file + ": " + strerror(errno);
        return failed;
    }
    open_log_to_user();
    log::set_speaker("master");
    raise_descriptors();
    ProcessReport::begin(config_.operations.crash_folder, nullptr);
    inherited_ = take_activated_sockets();
    if (predecessor_ && !hear_predecessor(failed.error)) return failed;
    if (!open_listeners(config_, nullptr, failed.error) || !open_admin(failed.error) ||
        !create_shared(failed.error))
        return failed;
    block_signals(true);
    sigset_t set;
    sigemptyset(&set);
    for (int signal : kSignals)
        sigaddset(&set, signal);
    signals_.reset(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    poller_.add(signals_.get(), EPOLLIN, kSignalToken);
    close_unclaimed_sockets();
    // The predecessor has the file until this one serves.
    if (!predecessor_ && !config_.pid_file.empty() && !pid_file_.claim(config_.pid_file, failed.error))
        return failed;
    if (predecessor_) poller_.add(predecessor_.fd(), EPOLLIN, kPredecessorToken);
    if (take_early_reload()) reload_again_ = true;
    if (!start_reactor()) {
        failed.error = std::string("Cannot start the reactor process: ") + strerror(errno);
        return failed;
    }
    if (!start_observer()) SLUICE_ERROR("cannot start the observer: %s", strerror(errno));
    if (auto result = start_first_generation()) {
        if (!result->error.empty()) kill_everything();
        return std::move(*result);
    }
    hooks_.set_title("sluice: master of " + config_.script);
    std::optional<LaunchResult> result = loop();
    if (result) return std::move(*result);
    failed.error = failure_;
    return failed;
}

// -- The loop

int Master::next_timeout_ms(uint64_t now_ms) const {
    uint64_t next = now_ms + 3'600'000;
    for (const Worker& worker : workers_) {
        if (worker.kill_at_ms) next = std::min(next, worker.kill_at_ms);
    }
    for (const Instance& instance : instances_) {
        if (instance.start_at_ms) next = std::min(next, instance.start_at_ms);
        if (instance.steady_at_ms) next = std::min(next, instance.steady_at_ms);
    }
    for (const auto& generation : generations_) {
        if (!generation->booted) next = std::min(next, generation->boot_deadline_ms);
    }
    if (stop_deadline_ms_) next = std::min(next, stop_deadline_ms_);
    if (activate_at_ms_) next = std::min(next, activate_at_ms_);
    if (look_at_canary_ms_) next = std::min(next, look_at_canary_ms_);
    if (watchdog_due_ms_) next = std::min(next, watchdog_due_ms_);
    if (successor_deadline_ms_) next = std::min(next, successor_deadline_ms_);
    if (reactor_at_ms_) next = std::min(next, reactor_at_ms_);
    if (watch_.due_ms()) next = std::min(next, watch_.due_ms());
    if (range_.due_ms()) next = std::min(next, range_.due_ms());
    if (start_observer_at_ms_) next = std::min(next, start_observer_at_ms_);
    return static_cast<int>(next > now_ms ? next - now_ms : 0);
}

std::optional<LaunchResult> Master::loop() {
    while (!everything_ended()) {
        for (const epoll_event& event : poller_.wait(next_timeout_ms(monotonic_ms()))) {
            uint64_t token = event.data.u64;
            if (token == kSignalToken) {
                signalfd_siginfo info;
                while (read(signals_.get(), &info, sizeof info) == sizeof info)
                    on_signal(static_cast<int>(info.ssi_signo));
            } else if (token == kReactorToken) {
                on_reactor();
            } else if (token == kObserverToken) {
                on_observer();
            } else if (token == kSuccessorToken) {
                on_successor();
            } else if (token == kPredecessorToken) {
                on_predecessor();
            } else if (token == kWatchToken) {
                watch_.look(monotonic_ms(), pending_generation_ != 0 && !is_canary_under_way());
            } else if (token >= kWorkerToken) {
                on_worker(static_cast<unsigned>(token - kWorkerToken));
            } else if (Generation* generation =
                           find_generation(static_cast<unsigned>(token - kGenerationToken))) {
                on_generation(*generation);
            }
        }
        reap();
        on_timer();
        publish_state();
        tell_observer_of_reloads();
        tell_observer_of_services();
        if (has_handed_over_) hand_over();
        if (stop_ == Stop::kEnding && generations_.empty() && reactor_) {
            poller_.remove(reactor_.fd());
            reactor_.close();  // the reactor process ends when nobody is left to tell it anything
        }
        if (reload_again_ && banner_printed_ && generations_.size() == 1 && !pending_generation_) {
            reload_again_ = false;
            reload();
        }
    }
    return std::nullopt;
}

bool Master::everything_ended() const {
    return stop_ == Stop::kEnding && reactor_pid_ == 0 && generations_.empty();
}

void Master::on_signal(int signal) {
    switch (signal) {
        case SIGTERM: stop_by_signal(true); break;
        case SIGINT: stop_by_signal(false); break;
        case SIGUSR2: upgrade(); break;
        case SIGQUIT: dump_state(); break;
        case SIGHUP:
        case SIGUSR1: reload(); break;
        default: break;  // SIGCHLD: reap() follows
    }
}

void Master::on_timer() {
    uint64_t now_ms = monotonic_ms();
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        Worker& worker = workers_[slot];
        if (!worker.kill_at_ms || worker.kill_at_ms > now_ms) continue;
        worker.kill_at_ms = 0;
        if (worker.state == WorkerState::kBooting) {
            SLUICE_ERROR("%s was not ready within %s; killing it", describe_worker(slot).c_str(),
                         boot_time().c_str());
        } else {
            SLUICE_WARNING("%s does not end; killing it", describe_worker(slot).c_str());
        }
        if (worker.pid) kill(worker.pid, SIGKILL);
    }
    for (unsigned instance = 0; instance < instances_.size(); ++instance) {
        uint64_t& steady_at_ms = instances_[instance].steady_at_ms;
        if (steady_at_ms && steady_at_ms <= now_ms) instances_[instance].crashes = steady_at_ms = 0;
        uint64_t& start_at_ms = instances_[instance].start_at_ms;
        if (!start_at_ms || start_at_ms > now_ms) continue;
        start_at_ms = 0;
        if (is_service_instance(instance)) {
            start_service(instance);  // a reload may wait for one that had no free slot
            continue;
        }
        if (is_surplus(instance)) continue;
        // A reload that has found no free slot waits for this one.
        Generation* const pending = find_generation(pending_generation_);
        const bool is_awaited = pending && pending->booted && !has_worker(pending->number, instance);
        Generation* generation = is_awaited ? pending : current();
        if (generation && generation->booted && stop_ == Stop::kNo) start_worker(*generation, instance);
    }
    for (auto& generation : generations_) {
        if (generation->booted || generation->boot_deadline_ms > now_ms) continue;
        generation->boot_deadline_ms = UINT64_MAX;
        SLUICE_ERROR("the script has not reached run() within %s; killing it", boot_time().c_str());
        kill(generation->pid, SIGKILL);
    }
    look_at_watchdog();
    if (successor_deadline_ms_ && successor_deadline_ms_ <= now_ms)
        upgrade_failed("it has not served within " + std::to_string(2 * config_.limits.boot_ms) +
                       " ms (twice bootSeconds)");
    if (reactor_at_ms_ && reactor_at_ms_ <= now_ms && stop_ == Stop::kNo) revive_reactor();
    if (activate_at_ms_ && activate_at_ms_ <= now_ms) {
        activate_at_ms_ = 0;
        Generation* const pending = find_generation(pending_generation_);
        if (pending && stop_ == Stop::kNo && is_ready(*pending)) activate(*pending);
    }
    if (look_at_canary_ms_ && look_at_canary_ms_ <= now_ms) look_at_canary();
    if (const std::string changed = watch_.take_due(now_ms); !changed.empty()) {
        SLUICE_INFO("%s has changed", changed.c_str());
        if (const uint64_t waited_ms = watch_.waited_ms(); waited_ms > watch_.watching().quiet_ms)
            SLUICE_INFO(
                "files that are watched change while the script boots: this reload waited for %llu ms",
                static_cast<unsigned long long>(waited_ms));
        reload();
    }
    if (range_.due_ms() && range_.due_ms() <= now_ms) look_at_load();
    if (start_observer_at_ms_ && start_observer_at_ms_ <= now_ms && !start_observer()) {
        SLUICE_ERROR("cannot start the observer: %s", strerror(errno));
        start_observer_at_ms_ = now_ms + kLongestBackOffMs;
    }
    if (stop_deadline_ms_ && stop_deadline_ms_ <= now_ms) {
        stop_deadline_ms_ = 0;
        if (stop_ == Stop::kDraining) {
            SLUICE_WARNING("not everything has drained within %u ms (shutdownSeconds); closing the rest",
                           config_.limits.shutdown_ms);
            stop_workers(false);
        } else {
            kill_everything();
        }
    }
}

// -- Small things

std::string Master::boot_time() const {
    return std::to_string(config_.limits.boot_ms) + " ms (bootSeconds)";
}

/// False: there is a reactor, and it was not told. The log says why, unless it has died.
bool Master::tell_reactor(std::string_view bytes, std::span<const int> fds) {
    return !reactor_ || reactor_.send(bytes, fds);
}

void Master::tell_reactor_of(unsigned slot, uint8_t control) {
    WireWriter order;
    order.put(control);
    order.put(static_cast<uint32_t>(slot));
    tell_reactor(order.bytes());
}

void Master::tell_reactor_to_end_switch() {
    WireWriter order;
    order.put(Control::kEndSwitch);
    order.put(static_cast<uint32_t>(current_generation_));
    tell_reactor(order.bytes());
}

void Master::tell_reactor_of_ready(unsigned slot) {
    WireWriter order;
    order.put(Control::kWorkerReady);
    order.put(static_cast<uint32_t>(slot));
    const Generation* const generation = find_generation(workers_[slot].generation);
    order.put(is_service(slot)                      ? WorkerTakes::kNothing
              : generation && generation->is_canary ? WorkerTakes::kShare
                                                    : WorkerTakes::kMessages);
    order.put_string(describe_worker(slot));
    std::vector<int> fds;
    for (const FdChannel& files : workers_[slot].files)
        fds.push_back(files.fd());
    tell_reactor(order.bytes(), fds);
    workers_[slot].files.clear();
}

/// False: nothing was sent. Long tables need a descriptor for their way (see ControlChannel).
bool Master::send_endpoints(const Endpoints& endpoints, bool begins_switch) {
    WireWriter order;
    order.put(Control::kEndpoints);
    order.put(begins_switch);
    write_endpoints(order, endpoints);
    return tell_reactor(order.bytes());
}

void Master::send_listener(const Listener& listener) {
    if (config_.mode == Mode::kBase) return;
    WireWriter order;
    order.put(Control::kAddListener);
    order.put(listener.endpoint);
    tell_reactor(order.bytes(), raw_fds(listener.fds));
}

Master::Generation* Master::find_generation(unsigned number) {
    for (auto& generation : generations_) {
        if (generation->number == number) return generation.get();
    }
    return nullptr;
}

Master::Listener* Master::find_listener(const std::string& asked) {
    for (Listener& listener : listeners_) {
        if (listener.asked == asked) return &listener;
    }
    return nullptr;
}

/// Tells the worker to end. Work that has begun gets `patience_ms` to finish; then the worker breaks it off,
/// and has kEndMs left to clean up.
void Master::order_stop(Worker& worker, uint64_t patience_ms) {
    worker.kill_at_ms = monotonic_ms() + patience_ms + kEndMs;
    WireWriter order;
    order.put(Control::kStop);
    order.put(static_cast<uint32_t>(patience_ms));
    // Without a channel it has just died: its generation is about to say so.
    if (worker.control) worker.control.send(order.bytes());
}

/// Tells the worker that its end is near: streams of events, which could go on for ever, then end.
void Master::announce_end(Worker& worker) {
    const char said = static_cast<char>(Control::kLeave);
    if (worker.control) worker.control.send({&said, 1});
}

/// The generation forks no more, and ends when its last worker has ended.
void Master::retire(Generation& generation) {
    generation.retiring = true;
    WireWriter order;
    order.put(Control::kRetire);
    generation.control.send(order.bytes());
}

void Master::retire_when_empty(unsigned number) {
    // One that is to take over gets others: it has lost them with the reactor.
    if (number == current_generation_ || number == pending_generation_) return;
    Generation* const generation = find_generation(number);
    if (generation && workers_of(number).empty() && !generation->retiring) retire(*generation);
}

/// Whether a worker that is to stay is the instance.
bool Master::has_worker(unsigned generation, unsigned instance) const {
    return std::any_of(workers_.begin(), workers_.end(), [=](const Worker& worker) {
        return worker.generation == generation && worker.instance == instance && !worker.replaced &&
               (worker.state == WorkerState::kBooting || worker.state == WorkerState::kReady);
    });
}

std::vector<unsigned> Master::workers_of(unsigned generation) const {
    std::vector<unsigned> slots;
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        const Worker& worker = workers_[slot];
        if (worker.generation == generation && worker.state != WorkerState::kFree &&
            worker.state != WorkerState::kGone) {
            slots.push_back(slot);
        }
    }
    return slots;
}

}  // namespace sluice
