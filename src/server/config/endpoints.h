#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/http_head.h"
#include "server/config/endpoint_spec.h"

namespace sluice {

class AccessLog;
class TlsContext;
namespace http {
class RouteTable;
}

/// All endpoints that the server has had since it started, by a number that reloads do not change: messages
/// carry it, and each boot of the script maps it to its own handlers.
class Endpoints {
  public:
    struct Endpoint {
        EndpointSpec spec;
        bool active = true;
        /// Set for a listener with TLS, in processes that accept connections.
        std::shared_ptr<const TlsContext> tls = nullptr;
        /// Set for a site with an access log, in processes that accept connections.
        std::shared_ptr<const AccessLog> access_log = nullptr;
    };
    static constexpr int kNone = -1;
    /// Messages have 16 bits for the number, and one value is reserved.
    static constexpr size_t kMost = UINT16_MAX - 1;

    /// The identity of an endpoint over boots.
    static std::string key_of(const EndpointSpec& spec);

    /// Applies a boot's endpoints: known ones keep their numbers, others get new numbers, missing ones become
    /// inactive. Returns the number of each of `specs`.
    std::vector<uint16_t> update(const std::vector<EndpointSpec>& specs);

    /// Rebuilds another process's table: append() each endpoint, then find_routes().
    void append(Endpoint endpoint) { endpoints_.push_back(std::make_shared<Endpoint>(std::move(endpoint))); }
    /// Builds each listener's table of routes. Call it after the endpoints have changed.
    void find_routes();

    /// Only before the table is shared with a reactor.
    void set_tls(uint16_t id, std::shared_ptr<const TlsContext> tls) { endpoints_[id]->tls = std::move(tls); }

    void set_access_log(uint16_t id, std::shared_ptr<const AccessLog> log) {
        endpoints_[id]->access_log = std::move(log);
    }

    const Endpoint& operator[](uint16_t id) const { return *endpoints_[id]; }
    /// For a connection, which keeps its endpoint whatever later boots change.
    std::shared_ptr<const Endpoint> share(uint16_t id) const { return endpoints_[id]; }
    size_t size() const { return endpoints_.size(); }
    /// The current HTTP listener at the address of this endpoint (a listener or a route), or kNone.
    int listener_of(uint16_t endpoint) const;
    /// The route for a WebSocket to `path` on the listener, or kNone.
    int websocket_route(uint16_t listener, std::string_view path) const;
    /// Where a request to the listener goes: to a route, to the listener's own handler, or nowhere (kNone).
    int http_route(uint16_t listener, http::Method method, std::string_view method_text,
                   std::string_view path) const;
    /// See http::RouteTable.
    std::string allowed_methods(uint16_t listener, std::string_view path) const;

  private:
    const http::RouteTable* routes_of(uint16_t listener) const {
        return listener < routes_.size() ? routes_[listener].get() : nullptr;
    }

    std::vector<std::shared_ptr<Endpoint>> endpoints_;
    /// By listener; nullptr: no routes. Copies of the table share them.
    std::vector<std::shared_ptr<const http::RouteTable>> routes_;
};

}  // namespace sluice
