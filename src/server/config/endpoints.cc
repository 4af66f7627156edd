#include "server/config/endpoints.h"

#include <unordered_map>

#include "protocol/http/route_table.h"

namespace sluice {

uint64_t EndpointSpec::longest_in_arena(uint64_t temporary_file_bytes) const {
    switch (kind) {
        case EndpointKind::kHttp: return limits.http.memory_body_bytes(temporary_file_bytes);
        case EndpointKind::kWebSocket: return limits.websocket.message_bytes;
        case EndpointKind::kTcp: return framing.max_message_bytes;
        case EndpointKind::kUdp: break;
    }
    return 0;
}

std::string Endpoints::key_of(const EndpointSpec& spec) {
    static constexpr const char* kKinds[] = {"http", "websocket", "tcp", "udp"};
    std::string key = kKinds[static_cast<int>(spec.kind)];
    if (!spec.is_listener()) key.append(" ").append(spec.method);
    return key + " " + spec.address + spec.path;
}

std::vector<uint16_t> Endpoints::update(const std::vector<EndpointSpec>& specs) {
    std::unordered_map<std::string, size_t> known;
    for (auto& endpoint : endpoints_) {
        known.emplace(key_of(endpoint->spec), known.size());
        // Copy-on-write: reactors may be reading the old object.
        endpoint = std::make_shared<Endpoint>(*endpoint);
        endpoint->active = false;
    }
    std::vector<uint16_t> ids;
    for (const EndpointSpec& spec : specs) {
        const size_t id = known.emplace(key_of(spec), endpoints_.size()).first->second;
        if (id == endpoints_.size()) endpoints_.emplace_back();
        endpoints_[id] = std::make_shared<Endpoint>(Endpoint{spec, true});
        ids.push_back(static_cast<uint16_t>(id));
    }
    find_routes();
    return ids;
}

void Endpoints::find_routes() {
    std::unordered_map<std::string_view, size_t> listeners;
    std::vector<std::shared_ptr<http::RouteTable>> routes(endpoints_.size());
    for (size_t id = 0; id < endpoints_.size(); ++id) {
        const EndpointSpec& spec = endpoints_[id]->spec;
        if (endpoints_[id]->active && spec.is_listener()) listeners.emplace(spec.address, id);
    }
    for (size_t id = 0; id < endpoints_.size(); ++id) {
        const EndpointSpec& spec = endpoints_[id]->spec;
        const auto listener = listeners.find(spec.address);
        if (!endpoints_[id]->active || spec.is_listener() || listener == listeners.end()) continue;
        std::shared_ptr<http::RouteTable>& table = routes[listener->second];
        if (!table) table = std::make_shared<http::RouteTable>();
        if (spec.kind == EndpointKind::kWebSocket) {
            table->add_websocket(spec.path, static_cast<uint16_t>(id));
        } else {
            table->add(spec.method, spec.path, static_cast<uint16_t>(id));
        }
    }
    routes_.assign(routes.begin(), routes.end());
}

int Endpoints::listener_of(uint16_t endpoint) const {
    for (size_t id = 0; id < endpoints_.size(); ++id) {
        const Endpoint& other = *endpoints_[id];
        if (other.active && other.spec.kind == EndpointKind::kHttp && other.spec.is_listener() &&
            other.spec.address == endpoints_[endpoint]->spec.address)
            return static_cast<int>(id);
    }
    return kNone;
}

int Endpoints::websocket_route(uint16_t listener, std::string_view path) const {
    const http::RouteTable* routes = routes_of(listener);
    return routes ? routes->find_websocket(path) : kNone;
}

int Endpoints::http_route(uint16_t listener, http::Method method, std::string_view method_text,
                          std::string_view path) const {
    if (const http::RouteTable* routes = routes_of(listener)) {
        const http::RouteTable::Found found = routes->find(method, method_text, path);
        if (found.knows_path) return found.route;
    }
    return endpoints_[listener]->spec.has_handler ? listener : kNone;
}

std::string Endpoints::allowed_methods(uint16_t listener, std::string_view path) const {
    const http::RouteTable* routes = routes_of(listener);
    return routes ? routes->allowed_methods(path) : std::string();
}

}  // namespace sluice
