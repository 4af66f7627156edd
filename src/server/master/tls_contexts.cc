#include "server/master/tls_contexts.h"

#include <set>

#include "core/log.h"
#include "io/tls_context.h"

namespace sluice {

bool TlsContexts::load(const EndpointSpec& spec) {
    if (!spec.tls) return true;
    std::string error;
    if (auto context = TlsContext::create(*spec.tls, error, tickets_)) {
        by_address_[spec.address] = std::move(context);
        return true;
    }
    SLUICE_ERROR("%s; %s", error.c_str(),
                 by_address_.contains(spec.address)
                     ? ("the certificates that " + spec.address + " had before stay").c_str()
                     : ("connections to " + spec.address + " are refused").c_str());
    return false;
}

void TlsContexts::load_all(const Endpoints& endpoints) {
    std::set<std::string> needed;
    for (uint16_t id = 0; id < endpoints.size(); ++id) {
        const Endpoints::Endpoint& endpoint = endpoints[id];
        if (!endpoint.active || !endpoint.spec.tls) continue;
        needed.insert(endpoint.spec.address);
        load(endpoint.spec);
    }
    std::erase_if(by_address_, [&](const auto& entry) { return !needed.contains(entry.first); });
}

void TlsContexts::give_to(Endpoints& endpoints) const {
    for (uint16_t id = 0; id < endpoints.size(); ++id) {
        const EndpointSpec& spec = endpoints[id].spec;
        auto found = by_address_.find(spec.address);
        if (spec.tls && found != by_address_.end()) endpoints.set_tls(id, found->second);
    }
}

}  // namespace sluice
