#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

void init_event_stream_class(zend_class_entry* class_entry);

/// A Sluice\Http\EventStream over a response whose head has been sent; it takes a reference to it.
zend_object* new_event_stream(zend_object* response);

}  // namespace sluice::php
