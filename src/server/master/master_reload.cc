// Master: changing the generation, and stopping.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "io/listener.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/seam/control.h"

namespace sluice {

// -- Reload

void Master::reload() {
    if (stop_ != Stop::kNo) return;
    // Independent of the reload's success: log rotation waits for it.
    reopen_logs();
    if (!banner_printed_) {
        SLUICE_INFO("the server starts; a reload follows");
        reload_again_ = true;
        return;
    }
    if (successor_) {
        SLUICE_INFO("no reload: an upgrade is under way, which boots the script anew");
        return;
    }
    if (pending_generation_ != 0 || generations_.size() > 1) {
        SLUICE_INFO("a reload is under way; another one follows it");
        reload_again_ = true;
        // loop() reloads again once the old generation has gone.
        return;
    }
    SLUICE_INFO("reloading: booting the script anew");
    notifier_.tell_reloading();
    if (!start_next_generation()) {
        SLUICE_ERROR("cannot reload: %s", strerror(errno));
        notifier_.tell("READY=1\nSTATUS=The reload has failed\n");
        return;
    }
    pending_generation_ = last_generation_;
}

void Master::reopen_logs() {
    WireWriter order;
    order.put(Control::kReopenLogs);
    if (!log::reopen()) SLUICE_ERROR("cannot open the log file anew: %s", strerror(errno));
    open_log_to_user();
    tell_reactor(order.bytes());
    tell_observer(order.bytes());
    for (Worker& worker : workers_)
        if (worker.control) worker.control.send(order.bytes());
    for (auto& generation : generations_)
        generation->control.send(order.bytes());
}

/// Watches what this boot asks for. If that is unchanged, the watch goes on, with its pending changes.
void Master::watch(const Watching& watching) {
    if (watching == watch_.watching()) return;
    if (watch_.fd() >= 0) poller_.remove(watch_.fd());
    if (!watch_.watch(watching)) SLUICE_ERROR("cannot watch for changes: %s", strerror(errno));
    if (watch_.lacks() == ENOSPC) {
        SLUICE_WARNING(
            "not all folders can be watched: at most %zu, and what fs.inotify.max_user_watches allows",
            FolderWatch::kMostFolders);
    } else if (watch_.lacks()) {
        SLUICE_WARNING("not all folders can be watched: %s", strerror(watch_.lacks()));
    }
    if (watch_.fd() >= 0) poller_.add(watch_.fd(), EPOLLIN, kWatchToken);
}

void Master::reload_failed(const std::string& why) {
    watch_.boot_ended();
    layout_.server().reload_failures.fetch_add(1, std::memory_order_relaxed);
    SLUICE_ERROR("the reload has failed: %s; generation %u goes on serving", why.c_str(),
                 current_generation_);
    notifier_.tell("READY=1\nSTATUS=The reload has failed, generation " +
                   std::to_string(current_generation_) + " serves\n");
    unsigned number = pending_generation_;
    pending_generation_ = 0;
    last_reload_ = {number, true, wall_clock_us(), why};
    Generation* const generation = find_generation(number);
    const bool was_canary = generation && generation->is_canary;
    for (unsigned slot : workers_of(number)) {
        if (was_canary) {  // it has requests
            if (!is_pool(slot)) let_go(slot);
            continue;
        }
        workers_[slot].state = WorkerState::kStopping;
        if (workers_[slot].pid) {
            kill(workers_[slot].pid, SIGKILL);
        } else {
            order_stop(workers_[slot], 0);  // its process is about to be forked
        }
    }
    end_canary();
    if (generation) {
        for (const std::string& address : generation->new_addresses) {
            if (Listener* listener = find_listener(address)) listener->unix_listener.remove();
            std::erase_if(listeners_, [&](const Listener& listener) { return listener.asked == address; });
        }
        if (was_canary) {
            stop_lonely_pools(number);
            retire_when_empty(number);
        } else {
            retire(*generation);
        }
    }
    if (current_generation_ == 0) {
        failure_ = "The script cannot be booted any more: " + why;
        stop(false);
    }
}

/// Whether the longest message fits into the arena of the first boot. Otherwise its sender would wait for
/// ever.
bool Master::fits_arena(const ServerConfig& config, std::string& error) const {
    const uint64_t reactors = config_.mode == Mode::kProcess ? config_.reactors : 1;
    const uint64_t most = config_.limits.arena_bytes / (2 * reactors);
    for (const EndpointSpec& spec : config.endpoints) {
        const uint64_t longest = spec.longest_in_arena(config_.limits.temporary_file_bytes);
        if (longest <= most) continue;
        error = "messages or bodies of " + std::to_string(longest) + " bytes in memory are allowed at " +
                spec.address + spec.path +
                ", and arenaBytes and reactors, as the server has been started with, have room for " +
                std::to_string(most) + ": restart it";
        return false;
    }
    return true;
}

void Master::generation_booted(Generation& generation, const ServerConfig& config) {
    generation.booted = true;
    generation.config = config;
    if (generation.number != 1) {
        auto tell = [](const char* option) {
            SLUICE_WARNING("%s has changed: it takes effect at the next restart, not by a reload", option);
        };
        if (config.mode != config_.mode) tell("mode");
        if (config.workers != config_.workers || config.least_workers != config_.least_workers)
            tell("workers");
        if (config.reactors != config_.reactors) tell("reactors");
        if (config.admin != config_.admin) tell("the admin listener");
        if (config.tracing != config_.tracing) tell("tracing");
        if (config.limits != config_.limits) tell("limits");
        generation.config.mode = config_.mode;
        std::string error;
        if (!fits_arena(config, error) || !fits_services(config, error) ||
            !open_listeners(config, &generation.new_addresses, error)) {
            reload_failed(error);
            return;
        }
    }
    for (const EndpointSpec& spec : generation.config.endpoints) {
        if (spec.is_listener())
            generation.addresses.push_back(find_listener(spec.address)->bound.to_string());
    }
    Endpoints next = endpoints_;
    generation.ids = next.update(generation.config.endpoints);
    if (next.size() > Endpoints::kMost) {
        reload_failed("The server has had too many different routes since it began: restart it");
        return;
    }
    // Numbers are assigned now for good; endpoints become active or inactive when the generation takes over.
    if (generation.number == 1) {
        watch(config.watching);
        watch_.look_back(process_began(), monotonic_ms());
        memories_ = std::move(generation.memories);
        tell_observer_of_memories();
        endpoints_ = next;
        tell_observer_of_endpoints();
        if (!send_endpoints(endpoints_, false)) {
            failure_ = "The reactor process cannot be told what the script serves (the log says why)";
            stop(false);
            return;
        }
        for (size_t i = 0; i < generation.ids.size(); ++i) {
            if (!generation.config.endpoints[i].is_listener()) continue;
            Listener& listener = *find_listener(generation.config.endpoints[i].address);
            listener.endpoint = generation.ids[i];
            listener.has_endpoint = true;
            send_listener(listener);
        }
    }
    start_pools(generation);
    generation.workers_at_first = range_.wanted();
    for (unsigned instance = 0; instance < generation.workers_at_first; ++instance)
        start_worker(generation, instance);
}

void Master::activate(Generation& generation) {
    Endpoints next = endpoints_;
    next.update(generation.config.endpoints);
    if (!send_endpoints(next, true)) {
        SLUICE_ERROR("generation %u cannot take over, as the reactor cannot be told; trying again in %llu ms",
                     generation.number, static_cast<unsigned long long>(kLongestBackOffMs));
        activate_at_ms_ = monotonic_ms() + kLongestBackOffMs;
        return;
    }
    activate_at_ms_ = 0;
    endpoints_ = std::move(next);
    tell_observer_of_endpoints();
    unsigned old = current_generation_;
    current_generation_ = generation.number;
    pending_generation_ = 0;
    last_reload_ = {generation.number, false, wall_clock_us(), generation.trial};
    layout_.server().reloads.fetch_add(1, std::memory_order_relaxed);
    watch_.boot_ended();
    watch(generation.config.watching);
    // Of the next release, when the link to the current one has been switched.
    std::string error;
    const std::string& pid_file = generation.config.pid_file;
    if (!pid_file.empty() && !pid_file_.move_to(pid_file, error)) SLUICE_ERROR("%s", error.c_str());
    memories_ = std::move(generation.memories);
    tell_observer_of_memories();
    std::vector<std::string> wanted;
    for (size_t i = 0; i < generation.ids.size(); ++i) {
        const EndpointSpec& spec = generation.config.endpoints[i];
        if (!spec.is_listener()) continue;
        wanted.push_back(spec.address);
        Listener& listener = *find_listener(spec.address);
        listener.endpoint = generation.ids[i];
        listener.has_endpoint = true;
        listener.unix_listener.change_mode(spec.socket_mode);
        bool is_new = std::find(generation.new_addresses.begin(), generation.new_addresses.end(),
                                spec.address) != generation.new_addresses.end();
        if (is_new) send_listener(listener);
    }
    if (generation.is_canary) {
        generation.is_canary = false;  // its workers are known already
        end_canary();
    } else {
        for (unsigned slot : workers_of(generation.number))
            if (workers_[slot].state == WorkerState::kReady) tell_reactor_of_ready(slot);
    }
    for (unsigned slot : workers_of(old))
        if (!is_pool(slot)) let_go(slot);
    // Its last worker may have died before.
    stop_lonely_pools(old);
    retire_when_empty(old);
    for (Listener& listener : listeners_) {
        if (std::find(wanted.begin(), wanted.end(), listener.asked) != wanted.end()) continue;
        SLUICE_INFO("no longer listening on %s", listener.bound.to_string().c_str());
        WireWriter order;
        order.put(Control::kRemoveListener);
        order.put(listener.endpoint);
        tell_reactor(order.bytes());
        listener.unix_listener.remove();
        listener.asked.clear();
    }
    std::erase_if(listeners_, [](const Listener& listener) { return listener.asked.empty(); });
    tell_reactor_to_end_switch();
    for (Instance& instance : instances_) {
        instance.failures = instance.crashes = 0;
        instance.start_at_ms = instance.steady_at_ms = 0;
    }
    start_services();
    for (unsigned slot : workers_of(generation.number))
        if (workers_[slot].wants_successor) succeed_worker(slot);
    if (config_.mode == Mode::kBase) tell_of_switch(generation.number);
}

void Master::tell_of_switch(unsigned generation) const {
    SLUICE_INFO("generation %u has taken over", generation);
    notifier_.tell("READY=1\nSTATUS=Serving, generation " + std::to_string(generation) + "\n");
}

// -- Stopping

/// The first signal stops the server, SIGTERM with patience. Any further one means now.
void Master::stop_by_signal(bool drain) {
    const bool is_first = !was_told_to_stop_;
    was_told_to_stop_ = true;
    if (stop_ == Stop::kNo) {
        is_hurried_ = !drain;
        stop(drain);
    } else if (is_first && drain) {
        return;  // it stops already, as its own code has asked
    } else if (!is_hurried_) {
        is_hurried_ = true;
        SLUICE_INFO("stopping now, as asked again");
        stop_workers(false);
    } else {
        kill_everything();
    }
}

void Master::stop(bool drain) {
    if (stop_ != Stop::kNo) return;
    SLUICE_INFO("%s", drain ? "stopping: what has begun is finished first" : "stopping");
    if (!has_handed_over_) {
        notifier_.tell("STOPPING=1\nSTATUS=Stopping\n");
        if (successor_pid_) kill(successor_pid_, SIGTERM);
    }
    look_at_canary_ms_ = 0;
    Generation* const pending = find_generation(pending_generation_);
    if (pending && !pending->is_canary) kill(pending->pid, SIGKILL);
    stop_ = Stop::kDraining;
    stop_deadline_ms_ = monotonic_ms() + (drain ? config_.limits.shutdown_ms : 0);
    close_listeners();  // or the kernel would go on queueing connections
    stop_services(drain ? config_.limits.shutdown_ms : 0);
    if (!drain || !reactor_) {  // base mode has none
        stop_workers(drain);
        return;
    }
    WireWriter order;
    order.put(Control::kShutDown);
    tell_reactor(order.bytes());
    for (Worker& worker : workers_)
        announce_end(worker);
}

/// Base-mode workers drain by themselves. In process mode the reactor has drained already, unless `drain` is
/// false.
void Master::stop_workers(bool drain) {
    const uint64_t now_ms = monotonic_ms();
    const uint64_t patience_ms = drain && stop_deadline_ms_ > now_ms ? stop_deadline_ms_ - now_ms : 0;
    stop_deadline_ms_ = now_ms + patience_ms + (drain ? kEndMs : kHurryMs);
    WireWriter order;
    order.put(Control::kStop);
    order.put(static_cast<uint32_t>(patience_ms));
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        Worker& worker = workers_[slot];
        if (!worker.control || is_pool(slot)) continue;
        worker.state = WorkerState::kStopping;
        worker.control.send(order.bytes());
    }
    for (auto& generation : generations_) {
        stop_lonely_pools(generation->number);
        retire(*generation);
    }
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

}  // namespace sluice
