#include "server/observer/pool_json.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "server/observer/json_object.h"
#include "server/observer/observer.h"

namespace sluice {

namespace {

/// Of one pool, over all workers.
struct PoolFigures {
    double size = 0, idle = 0, in_use = 0, most = 0, waiting = 0, timeouts = 0;
};

/// src/php/library has their names: PoolMetrics.php and TaskQueue.php.
class Pools {
  public:
    void take(const MetricFigures& metric) {
        for (const SeriesFigures& series : metric.series) {
            const double value = static_cast<double>(series.whole) + series.real;
            const auto label = [&](std::string_view name) -> std::string_view {
                const auto found = std::find(metric.labels.begin(), metric.labels.end(), name);
                return found == metric.labels.end() ? std::string_view()
                                                    : series.values[found - metric.labels.begin()];
            };
            const std::string name(label("pool"));
            if (metric.name == "sluice_pool_items") {
                (label("state") == "idle" ? items_[name].idle : items_[name].in_use) += value;
                items_[name].size += value;
            } else if (metric.name == "sluice_pool_max_items") {
                items_[name].most += value;
            } else if (metric.name == "sluice_pool_waiting") {
                items_[name].waiting += value;
            } else if (metric.name == "sluice_pool_timeouts") {
                items_[name].timeouts += value;
            } else if (metric.name == "sluice_task_pool_processes") {
                tasks_[name].size += value;
            } else if (metric.name == "sluice_task_pool_processes_busy") {
                tasks_[name].in_use += value;
            } else if (metric.name == "sluice_task_pool_tasks_waiting") {
                tasks_[name].waiting += value;
            }
        }
    }

    std::string text() {
        JsonList list;
        for (const auto& [name, pool] : items_)
            list.add(object("items", name, pool)
                         .put("max", whole(pool.most))
                         .put("timeouts", whole(pool.timeouts))
                         .text());
        for (auto& [name, pool] : tasks_) {
            pool.idle = pool.size - pool.in_use;
            list.add(object("tasks", name, pool).text());
        }
        return list.text();
    }

  private:
    static uint64_t whole(double value) { return static_cast<uint64_t>(std::lround(std::max(value, 0.0))); }

    static JsonObject object(std::string_view kind, std::string_view name, const PoolFigures& pool) {
        JsonObject json;
        json.put_text("kind", kind)
            .put_text("name", name)
            .put("size", whole(pool.size))
            .put("idle", whole(pool.idle))
            .put("inUse", whole(pool.in_use))
            .put("waiting", whole(pool.waiting));
        return json;
    }

    std::map<std::string, PoolFigures> items_, tasks_;
};

}  // namespace

std::string json_of_pools(const Observer& observer) {
    const uint32_t serving = observer.layout().server().generation.load(std::memory_order_relaxed);
    Pools pools;
    for (const MetricFigures& metric : observer.metrics().figures(std::max(serving, 1u)))
        if (metric.name.starts_with("sluice_")) pools.take(metric);
    return pools.text();
}

}  // namespace sluice
