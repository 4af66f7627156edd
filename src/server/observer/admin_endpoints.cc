#include "server/observer/admin_endpoints.h"

#include "server/observer/actions.h"
#include "server/observer/dashboard.h"
#include "server/observer/health.h"
#include "server/observer/metrics.h"
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
