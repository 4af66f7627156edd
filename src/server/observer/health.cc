#include "server/observer/health.h"

#include <algorithm>
#include <cstring>

#include "core/clock.h"
#include "server/observer/json_text.h"
#include "server/observer/observer.h"
#include "server/seam/readiness_cells.h"
#include "server/seam/server_stats.h"

namespace sluice {

namespace {

/// Workers write these texts, and may be writing them now.
template <size_t kBytes>
std::string text_of(const char (&text)[kBytes]) {
    return {text, strnlen(text, kBytes)};
}

void add_checks_of_application(const SharedLayout& layout, uint32_t generation,
                               std::vector<HealthCheck>& checks) {
    using Found = ReadinessCell::Found;
    const uint64_t now_ms = monotonic_ms();
    const ReadinessCells cells(layout);
    for (const ReadinessCell& cell : cells.of(generation)) {
        if (cell.generation.load(std::memory_order_acquire) != generation) continue;
        HealthCheck& check =
            checks.emplace_back(HealthCheck{text_of(cell.name), false, text_of(cell.reason)});
        if (cell.due_ms.load(std::memory_order_relaxed) < now_ms) {
            check.reason = "No worker has told of this check in time";
        } else {
            check.passes = cell.found.load(std::memory_order_relaxed) == Found::kReady;
        }
    }
}

/// A service that crashes keeps nobody from getting pages: a server that were unready would lose its clients,
/// and all servers of an application at once when what the service needs is away.
HealthCheck check_of_services(const ServiceReport& report) {
    HealthCheck check{"services", report.failing.empty(), "No service fails again and again", false};
    if (!check.passes) check.reason.clear();
    for (const ServiceReport::Failing& service : report.failing) {
        if (!check.reason.empty()) check.reason += "; ";
        check.reason += service.name + ' ' + service.end + ", as " + std::to_string(service.times) +
                        " times in a row, and is started again";
    }
    return check;
}

}  // namespace

std::vector<HealthCheck> readiness_of(const Observer& observer) {
    using State = ServerCell::State;
    const SharedLayout& layout = observer.layout();
    const ServerCell& server = layout.server();
    const State state = server.state.load(std::memory_order_relaxed);
    const uint32_t generation = server.generation.load(std::memory_order_relaxed);
    const uint64_t ready = stats_of(layout).workers;
    const uint32_t wanted = server.workers_wanted.load(std::memory_order_relaxed);
    const bool has_booted = state != State::kStarting && generation != 0;
    std::vector<HealthCheck> checks = {
        {"booted", has_booted,
         has_booted ? "Generation " + std::to_string(generation) + " serves"
                    : "The script has not booted yet"},
        {"workers", ready > 0,
         std::to_string(ready) + " workers are ready, " + std::to_string(wanted) + " are to be"},
        {"draining", state != State::kDraining,
         state == State::kDraining ? "The server finishes what has begun, and ends"
                                   : "The server does not end"},
    };
    checks.push_back(check_of_services(observer.services()));
    if (has_booted) add_checks_of_application(layout, generation, checks);
    return checks;
}

std::string json_of(const std::vector<HealthCheck>& checks) {
    std::string json;
    for (const HealthCheck& check : checks) {
        json += json.empty() ? '[' : ',';
        json += "{\"name\":" + json_text(check.name) + ",\"ok\":" + (check.passes ? "true" : "false") +
                ",\"reason\":" + json_text(check.reason) + (check.decides ? "}" : ",\"decides\":false}");
    }
    return json + ']';
}

AdminAnswer answer_livez(Observer&, const AdminRequest&) {
    return AdminResponse::json(200, "{\"status\":\"alive\"}\n");
}

AdminAnswer answer_readyz(Observer& observer, const AdminRequest&) {
    const std::vector<HealthCheck> checks = readiness_of(observer);
    const bool is_ready =
        std::ranges::all_of(checks, [](const HealthCheck& check) { return check.passes || !check.decides; });
    return AdminResponse::json(is_ready ? 200 : 503, std::string("{\"status\":") +
                                                         (is_ready ? "\"ready\"" : "\"not ready\"") +
                                                         ",\"checks\":" + json_of(checks) + "}\n");
}

}  // namespace sluice
