#include "server/observer/admin_endpoints.h"

#include "server/observer/actions.h"
#include "server/observer/dashboard.h"
#include "server/observer/health.h"
#include "server/observer/log_lines.h"
#include "server/observer/metrics.h"
#include "server/observer/profiles.h"
#include "server/observer/slow_requests.h"
#include "server/observer/state_json.h"

namespace sluice {

namespace {

using enum http::Method;

constexpr AdminEndpoint kEndpoints[] = {
    {kGet, "/", answer_dashboard, "the dashboard"},
    {kGet, "/metrics", answer_metrics, "metrics for Prometheus, by Accept for OpenMetrics"},
    {kGet, "/livez", answer_livez, "whether the server is alive"},
    {kGet, "/readyz", answer_readyz, "whether clients may come, with reasons"},
    {kGet, "/api/state", answer_state, "what the dashboard shows, as JSON"},
    {kPost, "/api/reload", answer_reload, "reloads, as SIGHUP does"},
    {kPost, "/api/drain", answer_drain, "finishes what has begun and stops, as SIGTERM does"},
    {kGet, "/debug/slow", answer_slow, "the slowest requests and the failed ones, by `id` one trace"},
    {kGet, "/debug/log", answer_log, "the last lines of the log"},
    {kGet, "/debug/pprof/", answer_profile_index, "which profiles there are"},
    {kGet, "/debug/pprof/profile", answer_cpu_profile, "where PHP code computes, for `seconds`"},
    {kGet, "/debug/pprof/wait", answer_wait_profile, "what coroutines wait for, for `seconds`"},
    {kGet, "/debug/pprof/heap", answer_heap_profile, "what allocates memory, for `seconds`"},
    {kGet, "/debug/pprof/coroutine", answer_coroutine_profile, "all coroutines of this moment"},
};

}  // namespace

std::span<const AdminEndpoint> admin_endpoints() {
    return kEndpoints;
}

AdminAnswer answer_admin(Observer& observer, const AdminRequest& request) {
    std::string allowed;
    for (const AdminEndpoint& endpoint : kEndpoints) {
        if (endpoint.path != request.path) continue;
        if (endpoint.method == request.method || (endpoint.method == kGet && request.method == kHead))
            return endpoint.answer(observer, request);
        allowed +=
            (allowed.empty() ? "" : ", ") + std::string(endpoint.method == kGet ? "GET, HEAD" : "POST");
    }
    if (allowed.empty()) return AdminResponse::problem(404, "The admin listener has no such path");
    AdminResponse refused = AdminResponse::problem(405, "This path allows " + allowed);
    refused.fields = "Allow: " + allowed + "\r\n";
    return refused;
}

}  // namespace sluice
