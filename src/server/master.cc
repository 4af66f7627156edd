#include "server/master.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/wire.h"
#include "io/doorbell.h"
#include "io/kernel_tls.h"
#include "io/listener.h"
#include "server/control.h"
#include "server/generation.h"
#include "server/manifest.h"
#include "server/process_status.h"
#include "server/reactor_process.h"
#include "server/worker_signals.h"

namespace sluice {

namespace {
constexpr uint64_t kSignalToken = 1;
constexpr uint64_t kReactorToken = 2;
constexpr uint64_t kGenerationToken = uint64_t{1} << 32;  // + number
constexpr uint64_t kWorkerToken = uint64_t{2} << 32;      // + slot

/// One that was ready and ended this soon is replaced after a breath.
constexpr uint64_t kShortLifeMs = 1000;
constexpr uint64_t kFirstBackOffMs = 100;
constexpr uint64_t kLongestBackOffMs = 10'000;
/// A server whose workers have never been ready gives up after this many boots of one of them: nobody depends
/// on it yet, and whoever starts it should see the error.
constexpr unsigned kFirstBootTries = 3;
/// For a reloaded script to reach run().
constexpr uint64_t kBootMs = 60'000;
/// Between asking a worker to end and killing it.
constexpr uint64_t kEndMs = 3000;
/// The same when the server is to stop without draining.
constexpr uint64_t kHurryMs = 1000;

const int kSignals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD};

void block_signals(bool block) {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : kSignals)
        sigaddset(&set, signal);
    sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}
}  // namespace

Master::Master(const ServerConfig& config, const LaunchHooks& hooks)
    : config_(config), hooks_(hooks), command_(CommandLine::of_this_process()) {}

Master::~Master() {
    if (in_child_) return;
    if (signals_) {
        // One that came while we were ending would kill the process now, after all has gone well.
        sigset_t set;
        sigemptyset(&set);
        for (int signal : kSignals)
            sigaddset(&set, signal);
        const timespec at_once{};
        while (sigtimedwait(&set, nullptr, &at_once) > 0) {
        }
        block_signals(false);
    }
    if (!config_.pid_file.empty() && signals_) unlink(config_.pid_file.c_str());
}

// -- Starting

bool Master::open_listeners(const ServerConfig& config, std::vector<std::string>* opened,
                            std::string& error) {
    for (const EndpointSpec& spec : config.endpoints) {
        if (spec.kind == EndpointKind::kWebSocket || find_listener(spec.address)) continue;
        std::optional<Address> address = Address::parse(spec.address);
        if (!address) {
            error = "Cannot listen on \"" + spec.address + "\": it is no address and port";
            return false;
        }
        Listener listener;
        listener.asked = spec.address;
        listener.bound = *address;
        // The sockets of all lanes share their address, which would let a second server join in unnoticed:
        // one that does not share finds out.
        if (address->port != 0 && !open_listener(*address, false, listener.bound, error)) return false;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            // The first one decides the port when any was asked for.
            UniqueFd fd = open_listener(listener.bound, true, listener.bound, error);
            if (!fd) return false;
            listener.fds.push_back(std::move(fd));
        }
        if (opened) opened->push_back(spec.address);
        listeners_.push_back(std::move(listener));
    }
    return true;
}

bool Master::create_shared(std::string& error) {
    layout_ = SharedLayout::create(SharedLayout::shape_for(config_));
    if (!layout_) {
        error = std::string("Cannot create the shared memory: ") + strerror(errno);
        return false;
    }
    worker_doorbells_.clear();
    reactor_doorbells_.clear();
    for (unsigned i = 0; i < layout_.shape().worker_slots; ++i)
        worker_doorbells_.emplace_back(Doorbell::create_fd());
    if (config_.mode == Mode::kProcess) {
        for (unsigned i = 0; i < config_.reactors; ++i)
            reactor_doorbells_.emplace_back(Doorbell::create_fd());
    }
    workers_.clear();
    workers_.resize(layout_.shape().worker_slots);
    worker_lanes_.assign(config_.workers, Lane{});
    return true;
}

namespace {
std::vector<int> raw(const std::vector<UniqueFd>& fds) {
    std::vector<int> result;
    for (const UniqueFd& fd : fds)
        result.push_back(fd.get());
    return result;
}
}  // namespace

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
        leave_signals_to_master();
        block_signals(false);
        hooks_.set_title("sluice: reactor of " + config_.script);
        prctl(PR_SET_NAME, "sluice-reactor");
        ReactorProcessWiring wiring;
        wiring.control = std::move(theirs);
        wiring.layout = std::move(layout_);
        wiring.limits = config_.limits;
        wiring.worker_doorbells = raw(worker_doorbells_);
        wiring.reactor_doorbells = raw(reactor_doorbells_);
        reactor_.close();
        listeners_.clear();
        generations_.clear();
        serve_reactors(std::move(wiring));
    }
    poller_.add(reactor_.fd(), EPOLLIN, kReactorToken);
    return true;
}

std::optional<LaunchResult> Master::start_first_generation() {
    auto generation = std::make_unique<Generation>();
    ControlChannel theirs;
    if (!ControlChannel::create_pair(generation->control, theirs))
        return LaunchResult{{}, {}, strerror(errno)};
    generation->number = ++last_generation_;
    generation->boot_deadline_ms = monotonic_ms() + kBootMs;
    pid_t self = getpid();
    fflush(nullptr);
    generation->pid = fork();
    if (generation->pid < 0) {
        return LaunchResult{{}, {}, std::string("Cannot fork: ") + strerror(errno)};
    }
    if (generation->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        in_child_ = true;
        leave_signals_to_master();
        block_signals(false);
        GenerationWiring wiring;
        wiring.control = std::move(theirs);
        wiring.layout = std::move(layout_);
        wiring.generation = generation->number;
        // Kept for as long as the workers live: these descriptors are theirs now.
        for (UniqueFd& fd : worker_doorbells_)
            wiring.worker_doorbells.push_back(fd.release());
        for (UniqueFd& fd : reactor_doorbells_)
            wiring.reactor_doorbells.push_back(fd.release());
        generation->control.close();
        reactor_.close();
        listeners_.clear();
        return serve_generation(std::move(wiring), config_, hooks_);
    }
    poller_.add(generation->control.fd(), EPOLLIN, kGenerationToken + generation->number);
    current_generation_ = generation->number;
    generations_.push_back(std::move(generation));
    return std::nullopt;
}

bool Master::start_next_generation() {
    auto generation = std::make_unique<Generation>();
    ControlChannel theirs;
    if (!ControlChannel::create_pair(generation->control, theirs)) return false;
    generation->number = ++last_generation_;
    generation->boot_deadline_ms = monotonic_ms() + kBootMs;
    pid_t self = getpid();
    fflush(nullptr);
    generation->pid = fork();
    if (generation->pid < 0) return false;
    if (generation->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        block_signals(false);
        Boot boot;
        boot.control.reset(theirs.release_fd());
        boot.memory.reset(dup(layout_.fd()));
        boot.generation = generation->number;
        boot.worker_doorbells = raw(worker_doorbells_);
        boot.reactor_doorbells = raw(reactor_doorbells_);
        exec_boot(command_, boot);
        SLUICE_ERROR("cannot start %s: %s", command_.executable.c_str(), strerror(errno));
        _exit(127);
    }
    poller_.add(generation->control.fd(), EPOLLIN, kGenerationToken + generation->number);
    generations_.push_back(std::move(generation));
    return true;
}

int Master::free_slot() const {
    for (size_t slot = 0; slot < workers_.size(); ++slot) {
        if (workers_[slot].state == WorkerState::kFree) return static_cast<int>(slot);
    }
    return -1;
}

void Master::start_worker(Generation& generation, unsigned lane) {
    int slot = free_slot();
    if (slot < 0) {
        worker_lanes_[lane].start_at_ms = monotonic_ms() + kFirstBackOffMs;
        return;
    }
    ControlChannel theirs;
    Worker& worker = workers_[static_cast<size_t>(slot)];
    if (!ControlChannel::create_pair(worker.control, theirs)) {
        SLUICE_ERROR("cannot make a control channel for a worker: %s", strerror(errno));
        worker_lanes_[lane].start_at_ms = monotonic_ms() + kLongestBackOffMs;
        return;
    }
    layout_.reset_worker(static_cast<unsigned>(slot));
    worker.state = WorkerState::kBooting;
    worker.pid = 0;
    worker.generation = generation.number;
    worker.lane = lane;
    worker.started_ms = monotonic_ms();
    worker.kill_at_ms = 0;
    poller_.add(worker.control.fd(), EPOLLIN, kWorkerToken + static_cast<unsigned>(slot));

    WireWriter order;
    order.put(Control::kFork);
    order.put(static_cast<uint32_t>(slot));
    order.put(static_cast<uint32_t>(lane));
    // Of the first boot: what a later one asks for cannot take effect before a restart.
    order.put(config_.mode);
    order.put(config_.limits);
    order.put(static_cast<uint32_t>(generation.ids.size()));
    for (uint16_t id : generation.ids)
        order.put(id);
    std::vector<std::string> addresses;
    for (const EndpointSpec& spec : generation.config.endpoints) {
        if (spec.kind == EndpointKind::kWebSocket) continue;
        addresses.push_back(find_listener(spec.address)->bound.to_string());
    }
    order.put(static_cast<uint32_t>(addresses.size()));
    for (const std::string& address : addresses)
        order.put_string(address);
    Endpoints view = endpoints_;
    view.update(generation.config.endpoints);
    write_endpoints(order, view);
    std::vector<int> fds{theirs.fd()};
    if (config_.mode == Mode::kBase) {
        for (size_t i = 0; i < generation.config.endpoints.size(); ++i) {
            const EndpointSpec& spec = generation.config.endpoints[i];
            if (spec.kind == EndpointKind::kWebSocket) continue;
            order.put(generation.ids[i]);
            fds.push_back(find_listener(spec.address)->fds[lane].get());
        }
    }
    generation.control.send(order.bytes(), fds);
}

void Master::print_banner() {
    banner_printed_ = true;
    Generation& generation = *current();
    std::string text = "\n  Sluice " SLUICE_VERSION ": " + config_.script + " in " +
                       (config_.mode == Mode::kProcess ? "process" : "base") + " mode\n\n";
    bool has_tls = false;
    for (const EndpointSpec& spec : generation.config.endpoints) {
        if (spec.kind == EndpointKind::kWebSocket) continue;
        std::string address = find_listener(spec.address)->bound.to_string();
        text += "  ";
        const char* secured = spec.tls ? "s" : "";
        has_tls |= spec.tls.has_value();
        text += spec.kind == EndpointKind::kHttp ? std::string("http") + secured + "://" + address + "/"
                                                 : (spec.tls ? "tls://" : "tcp://") + address;
        for (const EndpointSpec& route : generation.config.endpoints) {
            if (route.kind == EndpointKind::kWebSocket && route.address == spec.address) {
                text += std::string("\n  ws") + secured + "://" + address + route.path;
            }
        }
        text += "\n";
    }
    if (has_tls) text += "\n  TLS by " + describe_openssl() + "; kernel TLS: " + describe_kernel_tls() + "\n";
    text += "\n  master " + std::to_string(getpid());
    if (reactor_pid_) {
        text += ", reactor " + std::to_string(reactor_pid_) + " (" + std::to_string(config_.reactors) +
                (config_.reactors == 1 ? " thread)" : " threads)");
    }
    text += ", workers";
    for (unsigned slot : workers_of(generation.number))
        text += " " + std::to_string(workers_[slot].pid);
    text += "\n  reload: kill -HUP " + std::to_string(getpid()) + "   stop: Ctrl-C, or kill -TERM " +
            std::to_string(getpid()) + " to drain first\n\n";
    fputs(text.c_str(), stdout);
    fflush(stdout);
}

LaunchResult Master::serve() {
    LaunchResult failed;
    lanes_ = config_.mode == Mode::kProcess ? config_.reactors : config_.workers;
    if (!log::open_file(config_.log_file)) {
        failed.error = "Cannot write to the log file " + config_.log_file + ": " + strerror(errno);
        return failed;
    }
    log::set_speaker("master");
    if (!open_listeners(config_, nullptr, failed.error) || !create_shared(failed.error)) return failed;
    block_signals(true);
    sigset_t set;
    sigemptyset(&set);
    for (int signal : kSignals)
        sigaddset(&set, signal);
    signals_.reset(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    poller_.add(signals_.get(), EPOLLIN, kSignalToken);
    if (!config_.pid_file.empty()) {
        FILE* file = fopen(config_.pid_file.c_str(), "w");
        if (!file) {
            failed.error = "Cannot write the pid file " + config_.pid_file + ": " + strerror(errno);
            return failed;
        }
        fprintf(file, "%d\n", static_cast<int>(getpid()));
        fclose(file);
    }
    if (!start_reactor()) {
        failed.error = std::string("Cannot start the reactor process: ") + strerror(errno);
        return failed;
    }
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
    for (const Lane& lane : worker_lanes_) {
        if (lane.start_at_ms) next = std::min(next, lane.start_at_ms);
    }
    for (const auto& generation : generations_) {
        if (!generation->booted) next = std::min(next, generation->boot_deadline_ms);
    }
    if (stop_deadline_ms_) next = std::min(next, stop_deadline_ms_);
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
            } else if (token >= kWorkerToken) {
                on_worker(static_cast<unsigned>(token - kWorkerToken));
            } else if (Generation* generation =
                           find_generation(static_cast<unsigned>(token - kGenerationToken))) {
                on_generation(*generation);
            }
        }
        reap();
        on_timer();
        if (stop_ == Stop::kEnding && generations_.empty() && reactor_) {
            poller_.remove(reactor_.fd());
            reactor_.close();  // the reactor process ends when nobody is left to tell it anything
        }
        if (reload_again_ && generations_.size() == 1 && !pending_generation_) {
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
        case SIGTERM: stop(true); break;
        case SIGINT: stop(false); break;
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
        SLUICE_WARNING("%s does not end; killing it", describe_worker(slot).c_str());
        if (worker.pid) kill(worker.pid, SIGKILL);
    }
    for (unsigned lane = 0; lane < worker_lanes_.size(); ++lane) {
        uint64_t& start_at_ms = worker_lanes_[lane].start_at_ms;
        if (!start_at_ms || start_at_ms > now_ms) continue;
        start_at_ms = 0;
        Generation* generation = current_generation_ ? current() : find_generation(pending_generation_);
        if (generation && generation->booted && stop_ == Stop::kNo) start_worker(*generation, lane);
    }
    for (auto& generation : generations_) {
        if (generation->booted || generation->boot_deadline_ms > now_ms) continue;
        generation->boot_deadline_ms = UINT64_MAX;
        SLUICE_ERROR("the script has not reached run() within %llu s; killing it",
                     static_cast<unsigned long long>(kBootMs / 1000));
        kill(generation->pid, SIGKILL);
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

// -- Reports of the other processes

void Master::on_generation(Generation& generation) {
    while (auto message = generation.control.receive()) {
        WireReader reader(message->bytes);
        switch (reader.get<Control>()) {
            case Control::kBooted: generation_booted(generation, read_config(reader)); break;
            case Control::kForked: {
                uint32_t slot = reader.get<uint32_t>();
                workers_[slot].pid = reader.get<int32_t>();
                break;
            }
            case Control::kExited: {
                uint32_t slot = reader.get<uint32_t>();
                pid_t pid = reader.get<int32_t>();
                worker_exited(slot, pid, reader.get<int32_t>());
                break;
            }
            default: break;
        }
    }
    if (generation.control.eof()) {
        poller_.remove(generation.control.fd());
        // It cannot do anything without us. A script that has ended without run() ends by itself, and tells
        // its status.
        if (generation.booted) kill(generation.pid, SIGKILL);
    }
}

void Master::on_reactor() {
    while (auto message = reactor_.receive()) {
        WireReader reader(message->bytes);
        Control kind = reader.get<Control>();
        uint32_t slot = reader.get<uint32_t>();
        switch (kind) {
            case Control::kWorkerDrained: {
                Worker& worker = workers_[slot];
                if (worker.state != WorkerState::kDraining) break;
                worker.state = WorkerState::kStopping;
                worker.kill_at_ms = monotonic_ms() + kEndMs;
                order_stop(worker);
                break;
            }
            case Control::kWorkerForgotten:
                if (workers_[slot].state == WorkerState::kGone) workers_[slot].state = WorkerState::kFree;
                break;
            case Control::kWorkerCorrupt:
                if (workers_[slot].pid) kill(workers_[slot].pid, SIGKILL);
                break;
            case Control::kEmpty:
                if (stop_ == Stop::kDraining) stop_workers(true);
                break;
            default: break;
        }
    }
    if (reactor_.eof()) poller_.remove(reactor_.fd());
}

void Master::on_worker(unsigned slot) {
    Worker& worker = workers_[slot];
    while (auto message = worker.control.receive()) {
        switch (static_cast<Control>(message->bytes[0])) {
            case Control::kReady: {
                WireReader reader(message->bytes);
                reader.get<Control>();
                worker.pid = reader.get<int32_t>();  // its generation's own report may still be on its way
                worker_ready(slot);
                break;
            }
            case Control::kWantReload: reload(); break;
            case Control::kWantStop: stop(true); break;
            default: break;
        }
    }
    // Its end is reported by its generation, with the status.
    if (worker.control && worker.control.eof()) {
        poller_.remove(worker.control.fd());
        worker.control.close();
    }
}

void Master::reap() {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid == reactor_pid_) {
            reactor_died(status);
            continue;
        }
        for (auto& generation : generations_) {
            if (generation->pid != pid) continue;
            on_generation(*generation);  // what it said last
            generation_died(*generation, status);
            break;
        }
    }
}

void Master::worker_ready(unsigned slot) {
    Worker& worker = workers_[slot];
    if (worker.state != WorkerState::kBooting) return;
    worker.state = WorkerState::kReady;
    Generation* generation = find_generation(worker.generation);
    if (!generation) return;
    if (worker.generation == current_generation_) {
        tell_reactor_of(slot, static_cast<uint8_t>(Control::kWorkerReady));
        if (banner_printed_) {
            SLUICE_INFO("%s is ready", describe_worker(slot).c_str());
        }
    }
    size_t ready = 0;
    for (unsigned other : workers_of(worker.generation))
        ready += workers_[other].state == WorkerState::kReady;
    if (ready < std::min<size_t>(generation->config.workers, config_.workers)) return;
    if (worker.generation == pending_generation_) {
        activate(*generation);
    } else if (!banner_printed_) {
        print_banner();
    }
}

std::string Master::describe_worker(unsigned slot) const {
    const Worker& worker = workers_[slot];
    return "worker " + std::to_string(worker.lane) + " (pid " + std::to_string(worker.pid) + ", generation " +
           std::to_string(worker.generation) + ")";
}

void Master::forget_worker(unsigned slot) {
    Worker& worker = workers_[slot];
    if (worker.control) {
        poller_.remove(worker.control.fd());
        worker.control.close();
    }
    worker.kill_at_ms = 0;
    layout_.worker(slot).lent_bytes.store(0, std::memory_order_relaxed);
    if (config_.mode == Mode::kProcess && reactor_pid_ != 0) {
        worker.state = WorkerState::kGone;
        tell_reactor_of(slot, static_cast<uint8_t>(Control::kWorkerGone));
        return;
    }
    layout_.reset_worker(slot);
    if (config_.mode == Mode::kBase) layout_.reset_reactor(slot);
    worker.state = WorkerState::kFree;
}

void Master::worker_exited(unsigned slot, pid_t pid, int status) {
    Worker& worker = workers_[slot];
    if (worker.state == WorkerState::kFree || worker.state == WorkerState::kGone) return;
    if (pid) worker.pid = pid;
    if (worker.control) on_worker(slot);  // it may have been ready, or have wanted something, before it died
    bool was_ready = worker.state != WorkerState::kBooting;
    bool expected = worker.state == WorkerState::kStopping || stop_ != Stop::kNo;
    uint64_t lived_ms = monotonic_ms() - worker.started_ms;
    std::string who = describe_worker(slot);
    unsigned lane = worker.lane;
    unsigned generation = worker.generation;
    forget_worker(slot);
    // While no generation serves, because the last one was killed, the one being booted is treated as the
    // current one.
    bool serves =
        generation == current_generation_ || (current_generation_ == 0 && generation == pending_generation_);
    if (stop_ != Stop::kNo || !serves) {
        if (!expected || status != 0) {
            SLUICE_WARNING("%s %s", who.c_str(), describe_status(status).c_str());
        } else if (stop_ == Stop::kNo) {
            SLUICE_INFO("%s has ended", who.c_str());
        }
        if (generation == pending_generation_ && stop_ == Stop::kNo) {
            reload_failed("its " + who + " " + describe_status(status) + " before it was ready");
        }
        Generation* old = find_generation(generation);
        if (old && generation != current_generation_ && workers_of(generation).empty() && !old->retiring) {
            retire(*old);
        }
        return;
    }
    Lane& place = worker_lanes_[lane];
    // One that could not start is tried again ever more slowly. One that was ready is replaced at once,
    // however it ended: a request that kills its worker must not be able to take the service away.
    place.failures = was_ready ? 0 : place.failures + 1;
    if (!banner_printed_ && place.failures >= kFirstBootTries) {
        failure_ = "No worker could start: " + who + " " + describe_status(status) +
                   " before it was ready (what it said itself, if anything, is above)";
        stop(false);
        return;
    }
    uint64_t delay_ms = 1;
    if (place.failures > 1) {
        delay_ms = std::min(kLongestBackOffMs, kFirstBackOffMs << std::min(place.failures - 2, 10u));
    } else if (was_ready && lived_ms < kShortLifeMs) {
        delay_ms = kFirstBackOffMs;
    }
    place.start_at_ms = monotonic_ms() + delay_ms;
    if (was_ready) {
        SLUICE_WARNING("%s %s; a new one takes its place", who.c_str(), describe_status(status).c_str());
    } else {
        SLUICE_ERROR(
            "%s %s before it was ready; trying again in %llu ms (what it said itself, if anything, is above)",
            who.c_str(), describe_status(status).c_str(), static_cast<unsigned long long>(delay_ms));
    }
}

void Master::generation_died(Generation& generation, int status) {
    unsigned number = generation.number;
    bool booted = generation.booted;
    bool retiring = generation.retiring;
    std::erase_if(generations_, [&](auto& other) { return other->number == number; });
    for (unsigned slot : workers_of(number)) {
        if (workers_[slot].pid) kill(workers_[slot].pid, SIGKILL);  // its parent's death kills it as well
        forget_worker(slot);
    }
    if (stop_ != Stop::kNo || retiring) return;
    if (number == pending_generation_) {
        reload_failed(booted ? "its generation process " + describe_status(status)
                             : "the script " + describe_status(status) + " before it reached run()");
        return;
    }
    if (number != current_generation_) return;
    if (!booted && number == 1) {
        failure_ =
            "The script's first process " + describe_status(status) + " before its workers were forked";
        stop(false);
        return;
    }
    SLUICE_ERROR("generation %u %s, and its workers with it; booting the script again", number,
                 describe_status(status).c_str());
    current_generation_ = 0;
    if (pending_generation_ == 0) {
        if (start_next_generation()) {
            pending_generation_ = last_generation_;
        } else {
            failure_ = std::string("Cannot start a new generation: ") + strerror(errno);
            stop(false);
        }
    }
}

void Master::reactor_died(int status) {
    reactor_pid_ = 0;
    if (reactor_) poller_.remove(reactor_.fd());
    reactor_.close();
    if (stop_ != Stop::kNo) return;
    // Nothing else can go on without it: its memory held all connections and the state of all rings.
    failure_ = "The reactor process " + describe_status(status) + "; every connection is lost";
    SLUICE_ERROR("%s; stopping, so that a supervisor can start the server anew", failure_.c_str());
    stop_workers(false);
}

// -- Reload

void Master::reload() {
    if (stop_ != Stop::kNo) return;
    if (pending_generation_ != 0 || generations_.size() > 1) {
        SLUICE_INFO("a reload is under way; another one follows it");
        reload_again_ = true;
        // Looked at when the old generation has gone.
        return;
    }
    SLUICE_INFO("reloading: booting the script anew");
    if (!start_next_generation()) {
        SLUICE_ERROR("cannot reload: %s", strerror(errno));
        return;
    }
    pending_generation_ = last_generation_;
}

void Master::reload_failed(const std::string& why) {
    SLUICE_ERROR("the reload has failed: %s; generation %u goes on serving", why.c_str(),
                 current_generation_);
    unsigned number = pending_generation_;
    pending_generation_ = 0;
    for (unsigned slot : workers_of(number)) {
        workers_[slot].state = WorkerState::kStopping;
        if (workers_[slot].pid) kill(workers_[slot].pid, SIGKILL);
    }
    if (Generation* generation = find_generation(number)) {
        for (const std::string& address : generation->new_addresses)
            std::erase_if(listeners_, [&](const Listener& listener) { return listener.asked == address; });
        retire(*generation);
    }
    if (current_generation_ == 0) {
        failure_ = "The script cannot be booted any more: " + why;
        stop(false);
    }
}

void Master::generation_booted(Generation& generation, const ServerConfig& config) {
    generation.booted = true;
    generation.config = config;
    if (generation.number != 1) {
        auto tell = [](const char* option) {
            SLUICE_WARNING("%s has changed: it takes effect at the next restart, not by a reload", option);
        };
        if (config.mode != config_.mode) tell("mode");
        if (config.workers != config_.workers) tell("workers");
        if (config.reactors != config_.reactors) tell("reactors");
        if (config.limits != config_.limits) tell("limits");
        generation.config.mode = config_.mode;
        generation.config.workers = config_.workers;
        std::string error;
        if (!open_listeners(config, &generation.new_addresses, error)) {
            reload_failed(error);
            return;
        }
    }
    Endpoints next = endpoints_;
    generation.ids = next.update(generation.config.endpoints);
    // Numbers given now stay given; which endpoints are active changes when the generation takes over.
    if (generation.number == 1) {
        endpoints_ = next;
        send_endpoints();
        for (size_t i = 0; i < generation.ids.size(); ++i) {
            if (generation.config.endpoints[i].kind == EndpointKind::kWebSocket) continue;
            Listener& listener = *find_listener(generation.config.endpoints[i].address);
            listener.endpoint = generation.ids[i];
            send_listener(listener);
        }
    }
    for (unsigned lane = 0; lane < config_.workers; ++lane)
        start_worker(generation, lane);
}

void Master::activate(Generation& generation) {
    unsigned old = current_generation_;
    current_generation_ = generation.number;
    pending_generation_ = 0;
    endpoints_.update(generation.config.endpoints);
    send_endpoints();
    std::vector<std::string> wanted;
    for (size_t i = 0; i < generation.ids.size(); ++i) {
        const EndpointSpec& spec = generation.config.endpoints[i];
        if (spec.kind == EndpointKind::kWebSocket) continue;
        wanted.push_back(spec.address);
        Listener& listener = *find_listener(spec.address);
        listener.endpoint = generation.ids[i];
        bool is_new = std::find(generation.new_addresses.begin(), generation.new_addresses.end(),
                                spec.address) != generation.new_addresses.end();
        if (is_new) send_listener(listener);
    }
    for (unsigned slot : workers_of(generation.number))
        tell_reactor_of(slot, static_cast<uint8_t>(Control::kWorkerReady));
    for (unsigned slot : workers_of(old)) {
        Worker& worker = workers_[slot];
        if (config_.mode == Mode::kProcess && worker.state == WorkerState::kReady) {
            worker.state = WorkerState::kDraining;
            worker.kill_at_ms = monotonic_ms() + config_.limits.shutdown_ms;
            tell_reactor_of(slot, static_cast<uint8_t>(Control::kWorkerDraining));
        } else {
            worker.state = WorkerState::kStopping;
            worker.kill_at_ms = monotonic_ms() + config_.limits.shutdown_ms + kEndMs;
            order_stop(worker);
        }
    }
    for (Listener& listener : listeners_) {
        if (std::find(wanted.begin(), wanted.end(), listener.asked) != wanted.end()) continue;
        SLUICE_INFO("no longer listening on %s", listener.bound.to_string().c_str());
        WireWriter order;
        order.put(Control::kRemoveListener);
        order.put(listener.endpoint);
        tell_reactor(order.bytes());
        listener.asked.clear();
    }
    std::erase_if(listeners_, [](const Listener& listener) { return listener.asked.empty(); });
    for (Lane& lane : worker_lanes_)
        lane = {};
    SLUICE_INFO("generation %u has taken over", generation.number);
}

// -- Stopping

void Master::stop(bool drain) {
    if (stop_ != Stop::kNo) {
        if (!drain) kill_everything();  // asked again, less patiently
        return;
    }
    SLUICE_INFO("%s", drain ? "stopping: what has begun is finished first" : "stopping");
    if (pending_generation_) {
        if (Generation* generation = find_generation(pending_generation_)) kill(generation->pid, SIGKILL);
    }
    stop_ = Stop::kDraining;
    listeners_.clear();  // or the kernel would go on accepting for us
    if (!drain || config_.mode == Mode::kBase) {
        stop_workers(drain);
        return;
    }
    stop_deadline_ms_ = monotonic_ms() + config_.limits.shutdown_ms;
    WireWriter order;
    order.put(Control::kShutDown);
    tell_reactor(order.bytes());
}

/// Base-mode workers drain by themselves; in process mode the reactor has drained, or nobody waits for it.
void Master::stop_workers(bool drain) {
    uint64_t grace_ms =
        !drain ? kHurryMs : kEndMs + (config_.mode == Mode::kBase ? config_.limits.shutdown_ms : 0);
    stop_deadline_ms_ = monotonic_ms() + grace_ms;
    WireWriter order;
    order.put(Control::kStop);
    order.put(drain);
    for (Worker& worker : workers_) {
        if (!worker.control) continue;
        worker.state = WorkerState::kStopping;
        worker.control.send(order.bytes());
    }
    for (auto& generation : generations_)
        retire(*generation);
    stop_ = Stop::kEnding;
}

void Master::kill_everything() {
    stop_ = Stop::kEnding;
    for (Worker& worker : workers_) {
        if (worker.pid && worker.state != WorkerState::kFree && worker.state != WorkerState::kGone) {
            kill(worker.pid, SIGKILL);
        }
    }
    for (auto& generation : generations_)
        kill(generation->pid, SIGKILL);
    if (reactor_pid_) kill(reactor_pid_, SIGKILL);
}

// -- Small things

void Master::tell_reactor(std::string_view bytes, std::span<const int> fds) {
    if (reactor_) reactor_.send(bytes, fds);
}

void Master::tell_reactor_of(unsigned slot, uint8_t control) {
    WireWriter order;
    order.put(control);
    order.put(static_cast<uint32_t>(slot));
    tell_reactor(order.bytes());
}

void Master::send_endpoints() {
    WireWriter order;
    order.put(Control::kEndpoints);
    write_endpoints(order, endpoints_);
    tell_reactor(order.bytes());
}

void Master::send_listener(const Listener& listener) {
    if (config_.mode == Mode::kBase) return;
    WireWriter order;
    order.put(Control::kAddListener);
    order.put(listener.endpoint);
    tell_reactor(order.bytes(), raw(listener.fds));
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

/// After what it has begun.
void Master::order_stop(Worker& worker) {
    WireWriter order;
    order.put(Control::kStop);
    order.put(true);
    worker.control.send(order.bytes());
}

/// No more forks; it ends when its last worker has ended.
void Master::retire(Generation& generation) {
    generation.retiring = true;
    WireWriter order;
    order.put(Control::kRetire);
    generation.control.send(order.bytes());
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
