#pragma once

#include "php/zend/php_api.h"
#include "protocol/http/route_table.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

/// A Sluice\Http\Site.
struct SiteObject {
    zval server;
    size_t endpoint;           ///< of the listener, in the server's endpoints
    http::RouteTable* routes;  ///< by their places there
    zend_object object;
};

struct Handler;

/// Adds a route for `spec`, which has its kind, method and path, to the site, and takes over `handler`. False
/// when it has thrown: for argument `path_number`, when the site has such a route already.
bool add_route(SiteObject* site, EndpointSpec spec, Handler handler, uint32_t path_number);
/// Argument `number` of the running method has to be a pattern of paths.
bool check_pattern(zend_string* path, uint32_t number);

}  // namespace sluice::php
