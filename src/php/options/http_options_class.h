#pragma once

#include "php/zend/php_api.h"

namespace sluice {
struct EndpointSpec;
}

namespace sluice::php {

extern zend_class_entry* http_options_class;
void init_http_options_class(zend_class_entry* class_entry);

/// Overrides the endpoint's values with those of a Sluice\Http\Options, and `compression`, which is borrowed
/// and may be nullptr.
void apply_options(zend_object* options, EndpointSpec& endpoint, zend_object*& compression);
/// Whether clients are shown exceptions that nobody catches; `otherwise`: when nothing is said of that.
bool shows_errors(zend_object* options, bool otherwise);
/// What is put at the end of pages, borrowed; nullptr: nothing. `otherwise`: when nothing is said of that.
zend_string* page_end(zend_object* options, zend_string* otherwise);

/// A route's options, argument `number`, must not have what only a site may. False when it has thrown.
bool check_route_options(zend_object* options, uint32_t number);

}  // namespace sluice::php
