#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/config/endpoint_spec.h"

namespace sluice {

class AccessLog;
class TlsContext;

/// All endpoints that the server has had since it began, by a number that stays the same over reloads:
/// messages carry it, and each boot of the script translates it to its own handlers.
class Endpoints {
  public:
    struct Endpoint {
        EndpointSpec spec;
        bool active = true;
        /// Of a listener with TLS, in processes that accept connections.
        std::shared_ptr<const TlsContext> tls = nullptr;
        /// Of a site that has one, in the same processes.
        std::shared_ptr<const AccessLog> access_log = nullptr;
    };
    static constexpr int kNone = -1;

    /// What makes two endpoints of different boots the same one.
    static std::string key_of(const EndpointSpec& spec);

    /// Takes over what a boot asks for: known endpoints keep their numbers, others get new ones, missing ones
    /// become inactive. Returns the number of each of `specs`.
    std::vector<uint16_t> update(const std::vector<EndpointSpec>& specs);

    /// For a copy of a table that another process keeps.
    void append(Endpoint endpoint) { endpoints_.push_back(std::make_shared<Endpoint>(std::move(endpoint))); }

    /// Only before the table is shared with a reactor.
    void set_tls(uint16_t id, std::shared_ptr<const TlsContext> tls) { endpoints_[id]->tls = std::move(tls); }

    void set_access_log(uint16_t id, std::shared_ptr<const AccessLog> log) {
        endpoints_[id]->access_log = std::move(log);
    }

    const Endpoint& operator[](uint16_t id) const { return *endpoints_[id]; }
    /// To be kept by a connection, whatever later boots ask for.
    std::shared_ptr<const Endpoint> share(uint16_t id) const { return endpoints_[id]; }
    size_t size() const { return endpoints_.size(); }
    /// The route for a WebSocket to `path` on the listener, or kNone.
    int websocket_route(uint16_t listener, std::string_view path) const;

  private:
    std::vector<std::shared_ptr<Endpoint>> endpoints_;
};

}  // namespace sluice
