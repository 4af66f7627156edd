#pragma once

#include "php/zend/php_api.h"
#include "protocol/http/route_table.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

/// A Sluice\Http\Site.
struct SiteObject {
    zval server;
    size_t endpoint;           ///< of the listener, in the server's endpoints
    http::RouteTable* routes;  ///< by their indices in the server's endpoints
    zend_object object;
};

struct Handler;

/// A route's further arguments, and their numbers.
struct RouteArguments {
    uint32_t path_number = 1;
    zend_object* options = nullptr;  ///< a Sluice\Http\Options
    zend_object* limits = nullptr;   ///< of its protocol
    uint32_t limits_number = 0;
};

/// Adds a route to the site, and takes over `handler`; `spec` has the route's own values. False when it has
/// thrown: the site has this route already, or the limits are too high.
bool add_route(SiteObject* site, EndpointSpec spec, Handler handler, const RouteArguments& arguments);
/// Argument `number` of the running method has to be a pattern of paths.
bool check_pattern(zend_string* path, uint32_t number);

}  // namespace sluice::php
