#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct EndpointSpec;
}

namespace sluice::php {

extern zend_class_entry* http_options_class;
void init_http_options_class(zend_class_entry* class_entry);

/// What a Sluice\Http\Options says is put in the place of what the endpoint has, and of `compression`, which
/// may be nullptr and has no reference of its own.
void apply_options(zend_object* options, EndpointSpec& endpoint, zend_object*& compression);

/// A route's may not say what only a site can; they are argument `number`. False when it has thrown.
bool check_route_options(zend_object* options, uint32_t number);

}  // namespace sluice::php
