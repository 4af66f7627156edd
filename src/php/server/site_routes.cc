// The routes of a site: Sluice\Http\Site::get(), post() and the other methods.

#include <algorithm>

#include "php/options/http_options_class.h"
#include "php/options/limits_class.h"
#include "php/options/protocol_limits_class.h"
#include "php/server/listeners.h"
#include "php/server/server_arguments.h"
#include "php/server/server_object.h"
#include "php/server/site_class.h"
#include "php/server/site_object.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/route_pattern.h"

namespace sluice::php {

namespace {

/// Messages have 16 bits for an endpoint, and later boots of the script may add routes.
constexpr size_t kMostEndpoints = 10'000;

bool check_method(zend_string* method) {
    const char* fault = nullptr;
    if (!http::is_token(view(method))) {
        fault = "must be a method: letters, digits and !#$%&'*+-.^_`|~";
    } else if (view(method) == "CONNECT") {
        fault = "must be a method whose requests have a path";
    } else if (std::any_of(view(method).begin(), view(method).end(),
                           [](char c) { return c >= 'a' && c <= 'z'; })) {
        fault = "must be in upper case, as methods are case-sensitive";
    }
    if (fault) zend_argument_value_error(1, "%s, \"%.200s\" given", fault, ZSTR_VAL(method));
    return !fault;
}

void refuse_double(const EndpointSpec& there, const EndpointSpec& wanted, uint32_t number) {
    const char* method = there.kind == EndpointKind::kWebSocket ? "" : there.method.c_str();
    const char* blank = *method ? " " : "";
    if (there.path == wanted.path) {
        zend_argument_value_error(number, "must be added only once, \"%s%s%.200s\" exists already", method,
                                  blank, there.path.c_str());
    } else {
        zend_argument_value_error(number, "must match other paths than \"%s%s%.200s\", \"%.200s\" given",
                                  method, blank, there.path.c_str(), wanted.path.c_str());
    }
}

/// Copies the values of a listener that concern its routes.
void inherit(const EndpointSpec& listener, EndpointSpec& route) {
    route.address = listener.address;
    route.limits = listener.limits;
    route.proxies = listener.proxies;
    route.error_pages = listener.error_pages;
    if (route.kind != EndpointKind::kHttp) return;
    route.dispatch = listener.dispatch;
    route.cancel_on_disconnect = listener.cancel_on_disconnect;
    route.stream_bodies = listener.stream_bodies;
    route.classic = listener.classic;
    route.concurrency = listener.concurrency;
    route.concurrency_of = listener.concurrency_of;
    route.processes = listener.processes;
    route.processes_of = listener.processes_of;
    route.script_pool = listener.script_pool;
}

/// Completes the spec of a route of this site. False when it has thrown.
bool complete(const SiteObject& site, ServerSetup& setup, EndpointSpec& spec, Handler& handler,
              const RouteArguments& arguments) {
    const std::vector<EndpointSpec>& endpoints = setup.config.endpoints;
    if (endpoints.size() >= kMostEndpoints) {
        zend_argument_value_error(arguments.path_number, "must be one of at most %u routes and listeners",
                                  static_cast<unsigned>(kMostEndpoints));
        return false;
    }
    inherit(endpoints[site.endpoint], spec);
    override_limits(spec.limits, arguments.limits);
    if (!check_limits(setup.config.limits, spec.limits, arguments.limits_number) ||
        !fit_endpoint(setup, spec, arguments.limits_number)) {
        return false;
    }
    const auto place = static_cast<uint16_t>(endpoints.size());
    const int there = spec.kind == EndpointKind::kWebSocket ? site.routes->add_websocket(spec.path, place)
                                                            : site.routes->add(spec.method, spec.path, place);
    if (there != http::RouteTable::kNone) {
        refuse_double(endpoints[static_cast<size_t>(there)], spec, arguments.path_number);
        return false;
    }
    if (spec.kind != EndpointKind::kHttp) return true;
    zend_object* compression = setup.handlers[site.endpoint].compression;
    apply_options(arguments.options, spec, compression);
    note_scripts(spec, handler);
    if (spec.concurrency_of == EndpointSpec::kItself) spec.concurrency_of = place;
    if (spec.processes_of == EndpointSpec::kItself) spec.processes_of = place;
    if (compression) GC_ADDREF(compression);
    handler.compression = compression;
    const Handler& of_site = setup.handlers[site.endpoint];
    handler.shows_errors = shows_errors(arguments.options, of_site.shows_errors);
    if (zend_string* html = page_end(arguments.options, of_site.page_end))
        handler.page_end = zend_string_copy(html);
    return true;
}

/// The arguments of a route for requests; `method`: empty for every one. Its handler stands behind its path.
struct RequestRoute {
    std::string_view method;
    zend_string* path;
    zval* target;
    RouteArguments arguments;
};

void add_request_route(zval* return_value, zval* this_value, const RequestRoute& route) {
    SiteObject* site = embedded<SiteObject>(this_value);
    const uint32_t number = route.arguments.path_number;
    // The options stand in front of the limits.
    if (!check_pattern(route.path, number) ||
        !check_route_options(route.arguments.options, route.arguments.limits_number - 1) ||
        !check_route_limits(route.arguments.limits, route.arguments.limits_number) ||
        !open_setup(Z_OBJ(site->server)))
        RETURN_THROWS();
    Handler handler;
    if (!make_handler(handler, route.target, number + 1, EndpointKind::kHttp)) RETURN_THROWS();
    EndpointSpec spec;
    spec.kind = EndpointKind::kHttp;
    spec.method = route.method;
    spec.path = view(route.path);
    if (!add_route(site, std::move(spec), handler, route.arguments)) RETURN_THROWS();
    RETURN_OBJ_COPY(&site->object);
}

void route_requests(INTERNAL_FUNCTION_PARAMETERS, std::string_view method) {
    RequestRoute route = {};
    route.method = method;
    route.arguments.limits_number = 4;
    ZEND_PARSE_PARAMETERS_START(2, 4)
    Z_PARAM_STR(route.path)
    Z_PARAM_ZVAL(route.target)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.arguments.options, http_options_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.arguments.limits, http_limits_class)
    ZEND_PARSE_PARAMETERS_END();
    add_request_route(return_value, ZEND_THIS, route);
}

}  // namespace

bool check_pattern(zend_string* path, uint32_t number) {
    const char* fault = http::find_pattern_fault(view(path));
    if (fault) zend_argument_value_error(number, "%s, \"%.200s\" given", fault, ZSTR_VAL(path));
    return !fault;
}

bool add_route(SiteObject* site, EndpointSpec spec, Handler handler, const RouteArguments& arguments) {
    ServerSetup* setup = open_setup(Z_OBJ(site->server));
    if (!setup || !complete(*site, *setup, spec, handler, arguments)) {
        release_handler(handler);
        return false;
    }
    setup->config.endpoints.push_back(std::move(spec));
    setup->handlers.push_back(handler);
    return true;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Site, get) {
    route_requests(INTERNAL_FUNCTION_PARAM_PASSTHRU, "GET");
}

ZEND_METHOD(Sluice_Http_Site, post) {
    route_requests(INTERNAL_FUNCTION_PARAM_PASSTHRU, "POST");
}

ZEND_METHOD(Sluice_Http_Site, put) {
    route_requests(INTERNAL_FUNCTION_PARAM_PASSTHRU, "PUT");
}

ZEND_METHOD(Sluice_Http_Site, patch) {
    route_requests(INTERNAL_FUNCTION_PARAM_PASSTHRU, "PATCH");
}

ZEND_METHOD(Sluice_Http_Site, delete) {
    route_requests(INTERNAL_FUNCTION_PARAM_PASSTHRU, "DELETE");
}

ZEND_METHOD(Sluice_Http_Site, any) {
    route_requests(INTERNAL_FUNCTION_PARAM_PASSTHRU, {});
}

ZEND_METHOD(Sluice_Http_Site, route) {
    zend_string* method;
    RequestRoute route = {};
    route.arguments.path_number = 2;
    route.arguments.limits_number = 5;
    ZEND_PARSE_PARAMETERS_START(3, 5)
    Z_PARAM_STR(method)
    Z_PARAM_STR(route.path)
    Z_PARAM_ZVAL(route.target)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.arguments.options, http_options_class)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(route.arguments.limits, http_limits_class)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_method(method)) RETURN_THROWS();
    route.method = view(method);
    add_request_route(return_value, ZEND_THIS, route);
}
