// Master: processes of the application's own beside the workers.
#include <algorithm>

#include "core/clock.h"
#include "core/log.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/master/process_status.h"

namespace sluice {

/// Starts a generation's pools together with its workers, which may ask a pool as soon as they begin.
void Master::start_pools(Generation& generation) {
    for (const ServiceSpec& service : generation.config.services) {
        for (unsigned index = 0; service.is_pool && index < service.processes; ++index)
            start_worker(generation, instance_of(service, index));
    }
}

/// Starts the instance in each generation that has somebody to ask the pool: while old workers end what they
/// have begun, their tasks may still wait in the old pool.
void Master::start_pool_process(unsigned instance) {
    for (auto& generation : generations_) {
        const unsigned number = generation->number;
        const bool serves = number == current_generation_ && stop_ == Stop::kNo;
        if (generation->booted && wants(*generation, instances_[instance]) && !has_worker(number, instance) &&
            (serves || has_askers(number)))
            start_worker(*generation, instance);
    }
}

/// Whether the generation has processes that may ask its pools.
bool Master::has_askers(unsigned generation) const {
    const std::vector<unsigned> slots = workers_of(generation);
    return std::any_of(slots.begin(), slots.end(), [this](unsigned slot) { return !is_pool(slot); });
}

/// Whether the slot is that of a pool which is still wanted.
bool Master::is_lost_by_askers(unsigned slot) const {
    const Worker& worker = workers_[slot];
    return is_pool(slot) && worker.state != WorkerState::kStopping && has_askers(worker.generation);
}

/// Stops a generation's pools once nobody of the generation is left who could ask them.
void Master::stop_lonely_pools(unsigned generation) {
    if (has_askers(generation)) return;
    for (unsigned slot : workers_of(generation)) {
        Worker& worker = workers_[slot];
        if (worker.state == WorkerState::kStopping) continue;
        worker.state = WorkerState::kStopping;
        order_stop(worker, 0);
    }
}

/// Starts the services of the generation that has taken over. A service whose instance is still a process of
/// an earlier generation begins when that process has ended: no work of a service is done twice.
void Master::start_services() {
    for (const ServiceSpec& service : current()->config.services) {
        for (unsigned index = 0; index < service.processes; ++index)
            start_service(instance_of(service, index));
    }
}

/// Does nothing when the instance runs, or when the serving generation has no service for it.
void Master::start_service(unsigned instance) {
    const Instance& place = instances_[instance];
    if (place.is_pool) {
        start_pool_process(instance);
        return;
    }
    Generation* const generation = current();
    if (stop_ != Stop::kNo || !generation || !generation->booted || is_manned(instance)) return;
    if (wants(*generation, place)) start_worker(*generation, instance);
}

/// Stops services, but not pools: stop_lonely_pools() does. Workers have clients, and may take longer.
void Master::stop_services(uint64_t patience_ms) {
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        Worker& worker = workers_[slot];
        if (!worker.control || !is_service(slot) || is_pool(slot)) continue;
        worker.state = WorkerState::kStopping;
        order_stop(worker, patience_ms);
    }
}

/// Has the service started again, however it has ended: after growing pauses when it ends at once.
void Master::service_ended(unsigned slot, const std::string& who, uint64_t lived_ms, int status) {
    Instance& place = instances_[workers_[slot].instance];
    layout_.worker(slot).restarts.fetch_add(1, std::memory_order_relaxed);
    place.failures = lived_ms < kShortLifeMs ? place.failures + 1 : 0;
    place.crashes = status == 0 ? 0 : place.crashes + 1;
    place.last_end = describe_status(status);
    place.steady_at_ms = 0;
    const unsigned doublings = std::min(place.failures > 0 ? place.failures - 1 : 0, 10u);
    const uint64_t delay_ms = std::min(kLongestBackOffMs, kFirstBackOffMs << doublings);
    place.start_at_ms = monotonic_ms() + delay_ms;
    log::write(status == 0 ? log::Level::kInfo : log::Level::kWarning,
               "%s %s; it is started again in %llu ms", who.c_str(), describe_status(status).c_str(),
               static_cast<unsigned long long>(delay_ms));
}

/// Services of the generation that serves.
ServiceReport Master::report_of_services() {
    ServiceReport report;
    const Generation* const serving = find_generation(current_generation_);
    for (const Instance& instance : instances_) {
        if (instance.crashes < kCrashesInALoop || !serving || !wants(*serving, instance)) continue;
        report.failing.push_back(
            {instance.service + ' ' + std::to_string(instance.index), instance.crashes, instance.last_end});
    }
    return report;
}

unsigned Master::instance_of(const ServiceSpec& service, unsigned index) {
    for (unsigned instance = config_.workers; instance < instances_.size(); ++instance) {
        const Instance& known = instances_[instance];
        if (known.service == service.name && known.is_pool == service.is_pool && known.index == index)
            return instance;
    }
    instances_.push_back({.service = service.name, .is_pool = service.is_pool, .index = index});
    return static_cast<unsigned>(instances_.size() - 1);
}

/// Each instance is one process at a time. Services that a reload drops may still run when new services
/// begin.
bool Master::fits_services(const ServerConfig& config, std::string& error) const {
    const unsigned slots = layout_.shape().service_slots;
    if (config.service_slots() <= slots) return true;
    error = "services with " + std::to_string(config.service_slots()) +
            " processes (those of pools count twice) are asked for, and the server, as it has been started, "
            "has room for " +
            std::to_string(slots) + ": restart it";
    return false;
}

/// Whether the instance is one of the generation's services.
bool Master::wants(const Generation& generation, const Instance& instance) const {
    const auto& services = generation.config.services;
    return std::any_of(services.begin(), services.end(), [&](const ServiceSpec& service) {
        return service.name == instance.service && service.is_pool == instance.is_pool &&
               instance.index < service.processes;
    });
}

/// Whether a process of any generation is the instance.
bool Master::is_manned(unsigned instance) const {
    return std::any_of(workers_.begin(), workers_.end(), [instance](const Worker& worker) {
        return worker.instance == instance && worker.state != WorkerState::kFree &&
               worker.state != WorkerState::kGone;
    });
}

}  // namespace sluice
