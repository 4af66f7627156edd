#pragma once

#include <vector>

#include "php/worker/handlers.h"
#include "php/zend/php_api.h"
#include "server/config/config.h"

namespace sluice::php {

void init_server_class(zend_class_entry* class_entry);

/// At the end of the script, after its destructors: handlers that hold their own server would keep both for
/// ever.
void release_all_handlers();

/// What a Sluice\Server was told before run().
struct ServerSetup {
    ServerConfig config;
    std::vector<Handler> handlers;  ///< one for each of config.endpoints
    std::vector<Callback> on_worker_start;
    std::vector<Callback> on_worker_stop;
    bool ran = false;
};

/// The arguments of Site::webSocket() that make a route; each may be nullptr but the handler, and `protocols`
/// has been checked.
struct WebSocketRoute {
    zval* handler;
    zval* handshake;
    /// Writes the rest, which no exception can come out of, into the endpoint.
    void (*fill)(const WebSocketRoute& route, EndpointSpec& endpoint);
    zend_object* compression;
    HashTable* protocols;
    zend_object* origins;
    zend_object* heartbeat;
    zend_object* slow_client;
};

/// For Site::webSocket(): adds a route to the listener. False when it has thrown; the path was checked, but
/// for being there already.
bool add_websocket(zend_object* server, size_t listener, zend_string* path, const WebSocketRoute& route);

}  // namespace sluice::php
