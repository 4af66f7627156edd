#include "php/worker/garbage.h"

#include <cstring>
#include <ctime>

#include "php/worker/garbage_pace.h"
#include "php/zend/php_api.h"
#include "shared/metric_registry.h"

namespace sluice::php {

namespace {

GarbagePace pace;
int (*collect)() = nullptr;

/// Of all workers together; nullptr: there is no room for them.
struct {
    MetricSeries* collections;
    MetricSeries* freed;
    MetricSeries* seconds;
} metrics;

MetricSeries* counter(std::string_view name, std::string_view help) {
    const MetricRegistry& registry = MetricRegistry::of_this_process();
    if (!registry) return nullptr;
    Metric* const metric = registry.declare({MetricKind::kCounter, name, help, {}, {}, 1}).metric;
    return metric ? registry.series(*metric, {}).series : nullptr;
}

uint64_t cpu_ns() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

/// Whether somebody asks for it, rather than PHP, whose list of what may be garbage is full.
bool is_asked_for() {
    const zend_execute_data* const call = EG(current_execute_data);
    if (!call || !call->func || call->func->type != ZEND_INTERNAL_FUNCTION) return false;
    const zend_string* const name = call->func->common.function_name;
    return name && std::strcmp(ZSTR_VAL(name), "gc_collect_cycles") == 0;
}

int collect_at_pace() {
    const size_t limit = PG(memory_limit) > 0 ? static_cast<size_t>(PG(memory_limit)) : 0;
    // PHP asks again when 10,000 more may be garbage.
    if (!is_asked_for() && !pace.may_collect(cpu_ns(), zend_memory_usage(false), limit)) return 0;
    return collect_garbage();
}

}  // namespace

int collect_garbage() {
    const uint64_t begun_ns = cpu_ns();
    const int cycles = collect ? collect() : gc_collect_cycles();
    const uint64_t ended_ns = cpu_ns();
    pace.collected(begun_ns, ended_ns, zend_memory_usage(false));
    if (metrics.collections) {
        MetricRegistry::count(*metrics.collections, 1);
        MetricRegistry::count(*metrics.freed, static_cast<uint64_t>(cycles));
        MetricRegistry::add(*metrics.seconds, static_cast<double>(ended_ns - begun_ns) / 1e9);
    }
    return cycles;
}

void pace_garbage() {
    collect = gc_collect_cycles;
    gc_collect_cycles = collect_at_pace;
    metrics = {counter("sluice_garbage_collections", "Collections of garbage by PHP."),
               counter("sluice_garbage_collected", "Values that collections of garbage have freed."),
               counter("sluice_garbage_collection_seconds", "CPU time of collections of garbage.")};
    if (!metrics.freed || !metrics.seconds) metrics = {};
}

}  // namespace sluice::php
