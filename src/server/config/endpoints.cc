#include "server/config/endpoints.h"

namespace sluice {

std::string Endpoints::key_of(const EndpointSpec& spec) {
    static constexpr const char* kKinds[] = {"http", "websocket", "tcp", "udp"};
    return std::string(kKinds[static_cast<int>(spec.kind)]) + " " + spec.address + spec.path;
}

std::vector<uint16_t> Endpoints::update(const std::vector<EndpointSpec>& specs) {
    for (auto& endpoint : endpoints_) {
        // Copied, not changed: reactors may be reading the old state.
        endpoint = std::make_shared<Endpoint>(*endpoint);
        endpoint->active = false;
    }
    std::vector<uint16_t> ids;
    for (const EndpointSpec& spec : specs) {
        size_t id = 0;
        while (id < endpoints_.size() && key_of(endpoints_[id]->spec) != key_of(spec))
            ++id;
        if (id == endpoints_.size()) endpoints_.emplace_back();
        endpoints_[id] = std::make_shared<Endpoint>(Endpoint{spec, true});
        ids.push_back(static_cast<uint16_t>(id));
    }
    return ids;
}

int Endpoints::websocket_route(uint16_t listener, std::string_view path) const {
    const std::string& address = endpoints_[listener]->spec.address;
    for (size_t id = 0; id < endpoints_.size(); ++id) {
        const Endpoint& endpoint = *endpoints_[id];
        if (endpoint.active && endpoint.spec.kind == EndpointKind::kWebSocket && endpoint.spec.path == path &&
            endpoint.spec.address == address) {
            return static_cast<int>(id);
        }
    }
    return kNone;
}

}  // namespace sluice
