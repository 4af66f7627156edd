// What a request knows of the route that it came by.

#include "php/http/request_object.h"
#include "php/http/route_values.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

/// Empty: it came to a handler of everything.
std::string_view pattern_of(const RequestObject* self) {
    const EndpointSpec* endpoint = endpoint_of(self);
    return endpoint ? std::string_view(endpoint->path) : std::string_view();
}

}  // namespace

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Request, parameter) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    const RequestObject* self = embedded<RequestObject>(ZEND_THIS);
    return_route_parameter(return_value, pattern_of(self), self->head->in(self->head->head.path), name);
}

ZEND_METHOD(Sluice_Http_Request, parameters) {
    ZEND_PARSE_PARAMETERS_NONE();
    const RequestObject* self = embedded<RequestObject>(ZEND_THIS);
    return_route_parameters(return_value, pattern_of(self), self->head->in(self->head->head.path));
}

ZEND_METHOD(Sluice_Http_Request, route) {
    ZEND_PARSE_PARAMETERS_NONE();
    const std::string_view pattern = pattern_of(embedded<RequestObject>(ZEND_THIS));
    if (pattern.empty()) RETURN_NULL();
    RETURN_VIEW(pattern);
}
