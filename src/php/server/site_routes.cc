// The routes of a site: Sluice\Http\Site::get() and its like.

#include <algorithm>

#include "php/server/server_object.h"
#include "php/server/site_class.h"
#include "php/server/site_object.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/route_pattern.h"

namespace sluice::php {

namespace {

/// What messages carry has 16 bits, and further boots of the script may bring other routes.
constexpr size_t kMostEndpoints = 10'000;

bool check_method(zend_string* method) {
    const char* fault = nullptr;
    if (!http::is_token(view(method))) {
        fault = "must be a method: letters, digits and !#$%&'*+-.^_`|~";
    } else if (view(method) == "CONNECT") {
        fault = "must be a method of requests with a path, which CONNECT has not";
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
        zend_argument_value_error(number, "must be added once only, \"%s%s%.200s\" is there already", method,
                                  blank, there.path.c_str());
    } else {
        zend_argument_value_error(number, "must match other paths than \"%s%s%.200s\", \"%.200s\" given",
                                  method, blank, there.path.c_str(), wanted.path.c_str());
    }
}

/// What of a listener does not concern its routes is left at its default.
void inherit(const EndpointSpec& listener, EndpointSpec& route) {
    route.address = listener.address;
    route.proxies = listener.proxies;
    if (route.kind != EndpointKind::kHttp) return;
    route.dispatch = listener.dispatch;
    route.request_ms = listener.request_ms;
    route.cancel_on_disconnect = listener.cancel_on_disconnect;
    route.stream_bodies = listener.stream_bodies;
}

/// `method`: empty for every one. The path is argument `number`, and its handler the next one.
bool add_request_route(SiteObject* site, std::string_view method, zend_string* path, zval* target,
                       uint32_t number) {
    if (!open_setup(Z_OBJ(site->server))) return false;
    Handler handler;
    if (!make_handler(handler, target, number + 1, EndpointKind::kHttp)) return false;
    EndpointSpec spec;
    spec.kind = EndpointKind::kHttp;
    spec.method = method;
    spec.path = view(path);
    return add_route(site, std::move(spec), handler, number);
}

void route_requests(INTERNAL_FUNCTION_PARAMETERS, std::string_view method) {
    zend_string* path;
    zval* target;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(path)
    Z_PARAM_ZVAL(target)
    ZEND_PARSE_PARAMETERS_END();
    SiteObject* self = embedded<SiteObject>(ZEND_THIS);
    if (!check_pattern(path, 1) || !add_request_route(self, method, path, target, 1)) RETURN_THROWS();
    RETURN_OBJ_COPY(&self->object);
}

}  // namespace

bool check_pattern(zend_string* path, uint32_t number) {
    const char* fault = http::find_pattern_fault(view(path));
    if (fault) zend_argument_value_error(number, "%s, \"%.200s\" given", fault, ZSTR_VAL(path));
    return !fault;
}

bool add_route(SiteObject* site, EndpointSpec spec, Handler handler, uint32_t path_number) {
    ServerSetup* setup = open_setup(Z_OBJ(site->server));
    if (!setup) {
        release_handler(handler);
        return false;
    }
    std::vector<EndpointSpec>& endpoints = setup->config.endpoints;
    if (endpoints.size() >= kMostEndpoints) {
        zend_argument_value_error(path_number, "must be one of at most %u routes and listeners",
                                  static_cast<unsigned>(kMostEndpoints));
        release_handler(handler);
        return false;
    }
    const auto place = static_cast<uint16_t>(endpoints.size());
    const int there = spec.kind == EndpointKind::kWebSocket
                          ? site->routes->add_websocket(spec.path, place)
                          : site->routes->add(spec.method, spec.path, place);
    if (there != http::RouteTable::kNone) {
        refuse_double(endpoints[static_cast<size_t>(there)], spec, path_number);
        release_handler(handler);
        return false;
    }
    inherit(endpoints[site->endpoint], spec);
    if (zend_object* compression = setup->handlers[site->endpoint].compression;
        compression && spec.kind == EndpointKind::kHttp) {
        GC_ADDREF(compression);
        handler.compression = compression;
    }
    endpoints.push_back(std::move(spec));
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
    zend_string *method, *path;
    zval* target;
    ZEND_PARSE_PARAMETERS_START(3, 3)
    Z_PARAM_STR(method)
    Z_PARAM_STR(path)
    Z_PARAM_ZVAL(target)
    ZEND_PARSE_PARAMETERS_END();
    SiteObject* self = embedded<SiteObject>(ZEND_THIS);
    if (!check_method(method) || !check_pattern(path, 2) ||
        !add_request_route(self, view(method), path, target, 2)) {
        RETURN_THROWS();
    }
    RETURN_OBJ_COPY(&self->object);
}
