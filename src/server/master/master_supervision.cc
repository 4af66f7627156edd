// Master: what the other processes report, and what follows from their deaths.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "server/config/manifest.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/master/process_status.h"
#include "server/seam/control.h"

namespace sluice {

void Master::on_generation(Generation& generation) {
    while (auto message = generation.control.receive()) {
        WireReader reader(message->bytes);
        switch (reader.get<Control>()) {
            case Control::kBooted: {
                const ServerConfig config = read_config(reader);
                for (UniqueFd& fd : message->fds)
                    generation.memories.push_back({reader.get_string(), std::move(fd)});
                generation_booted(generation, config);
                break;
            }
            case Control::kForked: {
                const uint32_t slot = reader.get<uint32_t>();
                const pid_t pid = reader.get<int32_t>();
                if (!is_worker_of(slot, generation) || pid <= 1) break;
                workers_[slot].pid = pid;
                if (workers_[slot].says_ready) worker_ready(slot);
                break;
            }
            case Control::kExited: {
                const uint32_t slot = reader.get<uint32_t>();
                const pid_t pid = reader.get<int32_t>();
                if (is_worker_of(slot, generation)) worker_exited(slot, pid, reader.get<int32_t>());
                break;
            }
            default: break;
        }
    }
    generation.control.rest_if_starved();
    if (generation.control.eof()) {
        poller_.remove(generation.control.fd());
        // A generation is useless without its control channel. A script that has ended without run() exits by
        // itself, with its own status.
        if (generation.booted) kill(generation.pid, SIGKILL);
    }
}

bool Master::is_worker_of(unsigned slot, const Generation& generation) const {
    return slot < workers_.size() && workers_[slot].generation == generation.number;
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
                const uint64_t now_ms = monotonic_ms();
                order_stop(worker, worker.kill_at_ms > now_ms ? worker.kill_at_ms - now_ms : 0);
                break;
            }
            case Control::kWorkerForgotten:
                if (workers_[slot].state == WorkerState::kGone) workers_[slot].state = WorkerState::kFree;
                break;
            case Control::kWorkerCorrupt:
                // A reactor may find out when the worker has died already.
                if (workers_[slot].pid && workers_[slot].state != WorkerState::kGone)
                    kill(workers_[slot].pid, SIGKILL);
                break;
            case Control::kSwitched: tell_of_switch(slot); break;
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
            case Control::kReady:
                worker.says_ready = true;
                // Its generation reports the process id; the report may still be on its way.
                if (worker.pid) worker_ready(slot);
                break;
            case Control::kWantReload: reload(); break;
            case Control::kWantStop: stop(true); break;
            case Control::kWantReplacement: replace_worker(slot); break;
            case Control::kWantSuccessor: succeed_worker(slot); break;
            default: break;
        }
    }
    // The generation will report the worker's end and status.
    if (worker.control && worker.control.eof()) {
        poller_.remove(worker.control.fd());
        worker.control.close();
    }
}

void Master::reap() {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid == successor_pid_) {
            successor_pid_ = 0;
            upgrade_failed("it " + describe_status(status));
            continue;
        }
        if (pid == reactor_pid_) {
            reactor_died(status);
            continue;
        }
        if (pid == observer_pid_) {
            observer_died(status);
            continue;
        }
        for (auto& generation : generations_) {
            if (generation->pid != pid) continue;
            on_generation(*generation);  // read its last messages
            generation_died(*generation, status);
            break;
        }
    }
}

void Master::worker_ready(unsigned slot) {
    Worker& worker = workers_[slot];
    if (worker.state != WorkerState::kBooting) return;
    worker.state = WorkerState::kReady;
    worker.kill_at_ms = 0;
    Generation* generation = find_generation(worker.generation);
    if (!generation) return;
    if (worker.generation != pending_generation_) {
        tell_reactor_of_ready(slot);
        if (banner_printed_) {
            SLUICE_INFO("%s is ready", describe_worker(slot).c_str());
        }
    }
    if (stop_ != Stop::kNo) return;
    for (unsigned other : workers_of(worker.generation)) {
        const Worker& before = workers_[other];
        if (before.leaves && before.instance == worker.instance && before.state == WorkerState::kReady) let_go(other);
    }
    if (!is_ready(*generation)) return;
    if (worker.generation == pending_generation_) {
        take_over_or_try(*generation);
    } else if (!banner_printed_) {
        print_banner();
        begin_services();
        range_.begin(monotonic_ms());
    }
}

/// Whether all of its workers are ready. Where another generation serves meanwhile, its pools must have begun
/// too; otherwise workers without a pool are better than none.
bool Master::is_ready(const Generation& generation) const {
    size_t workers = 0, pools = 0, wanted_pools = 0;
    for (unsigned slot : workers_of(generation.number)) {
        if (workers_[slot].state != WorkerState::kReady) continue;
        workers += !is_service(slot);
        pools += is_pool(slot);
    }
    if (generation.number == pending_generation_ && current_generation_ != 0) {
        for (const ServiceSpec& service : generation.config.services)
            wanted_pools += service.is_pool ? service.processes : 0;
    }
    return workers >= generation.workers_at_first && pools >= wanted_pools;
}

/// For a worker that is to take no more messages: it drains, and a new worker of its number starts at once.
void Master::replace_worker(unsigned slot) {
    Worker& worker = workers_[slot];
    if (worker.generation == pending_generation_ && is_canary_under_way() && stop_ == Stop::kNo) {
        reload_failed("its " + describe_worker(slot) + " has asked to be replaced");
        return;
    }
    if (worker.state != WorkerState::kReady || worker.generation != current_generation_ ||
        stop_ != Stop::kNo || is_service(slot))
        return;
    SLUICE_WARNING("%s has asked to be replaced", describe_worker(slot).c_str());
    worker.replaced = true;
    let_go(slot);
    if (!worker.leaves) start_worker(*current(), worker.instance);
}

/// Lets a worker finish what it has begun; new messages go to others.
void Master::let_go(unsigned slot) {
    Worker& worker = workers_[slot];
    if (config_.mode == Mode::kProcess && worker.state == WorkerState::kReady && !is_service(slot)) {
        worker.state = WorkerState::kDraining;
        worker.kill_at_ms = monotonic_ms() + config_.limits.shutdown_ms;
        tell_reactor_of(slot, static_cast<uint8_t>(Control::kWorkerDraining));
        announce_end(worker);
    } else {
        worker.state = WorkerState::kStopping;
        order_stop(worker, config_.limits.shutdown_ms);
    }
}

/// Starts a worker's successor; the old one serves until the new one is ready. A failed start is retried, as
/// any worker's is.
void Master::succeed_worker(unsigned slot) {
    Worker& worker = workers_[slot];
    // A canary has no slot to spare.
    worker.wants_successor = worker.generation == pending_generation_;
    if (worker.state != WorkerState::kReady || worker.generation != current_generation_ || worker.leaves ||
        stop_ != Stop::kNo || is_service(slot))
        return;
    worker.leaves = true;
    start_worker(*current(), worker.instance);
}

std::string Master::describe_worker(unsigned slot) const {
    const Worker& worker = workers_[slot];
    const Instance& instance = instances_[worker.instance];
    const std::string name = instance.service.empty() ? "worker " + std::to_string(worker.instance)
                                                  : std::string(ServiceSpec::kind_of(instance.is_pool)) + " " +
                                                        instance.service + " " + std::to_string(instance.index);
    return name + " (pid " + std::to_string(worker.pid) + ", generation " +
           std::to_string(worker.generation) + ")";
}

void Master::forget_worker(unsigned slot) {
    Worker& worker = workers_[slot];
    if (worker.control) {
        poller_.remove(worker.control.fd());
        worker.control.close();
    }
    worker.files.clear();
    worker.kill_at_ms = 0;
    // Clear its statistics now, whenever the slot is reused.
    layout_.reset_worker(slot);
    if (config_.mode == Mode::kProcess && reactor_pid_ != 0) {
        worker.state = WorkerState::kGone;
        tell_reactor_of(slot, static_cast<uint8_t>(Control::kWorkerGone));
        return;
    }
    if (config_.mode == Mode::kBase) layout_.reset_reactor(slot);
    worker.state = WorkerState::kFree;
}

void Master::worker_exited(unsigned slot, pid_t pid, int status) {
    Worker& worker = workers_[slot];
    if (worker.state == WorkerState::kFree || worker.state == WorkerState::kGone) return;
    if (pid) worker.pid = pid;
    if (worker.control) on_worker(slot);  // read its last messages: it may have been ready
    bool was_ready = worker.state != WorkerState::kBooting;
    bool expected = worker.state == WorkerState::kStopping || stop_ != Stop::kNo;
    uint64_t lived_ms = monotonic_ms() - worker.started_ms;
    std::string who = describe_worker(slot);
    unsigned instance = worker.instance;
    unsigned generation = worker.generation;
    const bool replaced = worker.replaced || worker.leaves;
    if (worker.is_orphan && stop_ == Stop::kNo) {
        orphan_exited(slot, who, status);
        return;
    }
    const bool is_missed = is_lost_by_askers(slot);
    count_end(slot, was_ready, status);
    forget_worker(slot);
    // While no generation serves, as the last one was killed, the booting one counts as the current one.
    bool serves =
        generation == current_generation_ || (current_generation_ == 0 && generation == pending_generation_);
    if (is_missed && generation != pending_generation_) {
        service_ended(slot, who, lived_ms, status);
        return;
    }
    if (stop_ != Stop::kNo || !serves) {
        if (!expected || status != 0) {
            SLUICE_WARNING("%s %s", who.c_str(), describe_status(status).c_str());
        } else if (stop_ == Stop::kNo) {
            SLUICE_INFO("%s has ended", who.c_str());
        }
        if (generation == pending_generation_ && stop_ == Stop::kNo) {
            reload_failed("its " + who + " " + describe_status(status) +
                          (was_ready ? "" : " before it was ready"));
        }
        stop_lonely_pools(generation);
        retire_when_empty(generation);
        // That of the generation which serves has waited for this one's end.
        if (is_service_instance(instance)) start_service(instance);
        return;
    }
    if (replaced || is_surplus(instance)) {
        SLUICE_INFO("%s, which was %s, %s", who.c_str(), replaced ? "replaced" : "not needed any more",
                    describe_status(status).c_str());
        return;
    }
    if (is_service_instance(instance)) {
        service_ended(slot, who, lived_ms, status);
        return;
    }
    Instance& place = instances_[instance];
    // A worker that could not start is retried ever more slowly. One that was ready is replaced at once,
    // however it ended: a request that kills its worker must not deny the service.
    place.failures = was_ready ? 0 : place.failures + 1;
    if (!banner_printed_ && place.failures >= kFirstBootTries) {
        failure_ = "No worker could start: " + who + " " + describe_status(status) +
                   " before it was ready (its own messages, if any, are above)";
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
            "%s %s before it was ready; trying again in %llu ms (its own messages, if any, are above)",
            who.c_str(), describe_status(status).c_str(), static_cast<unsigned long long>(delay_ms));
    }
}

void Master::generation_died(Generation& generation, int status) {
    unsigned number = generation.number;
    bool booted = generation.booted;
    bool retiring = generation.retiring;
    std::erase_if(generations_, [&](auto& other) { return other->number == number; });
    for (unsigned slot : workers_of(number)) {
        if (workers_[slot].pid) kill(workers_[slot].pid, SIGKILL);  // so does its parent's death
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
    if (is_canary_under_way()) {
        activate(*find_generation(pending_generation_));
    } else if (pending_generation_ == 0) {
        if (start_next_generation()) {
            pending_generation_ = last_generation_;
        } else {
            failure_ = std::string("Cannot start a new generation: ") + strerror(errno);
            stop(false);
        }
    }
}

}  // namespace sluice
