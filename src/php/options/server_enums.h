#pragma once

#include "php/zend/php_api.h"
#include "server/config/choices.h"

namespace sluice::php {

// The enums of listeners' and the server's arguments.

extern zend_class_entry* mode_class;
extern zend_class_entry* dispatch_class;
extern zend_class_entry* slow_client_class;
extern zend_class_entry* bodies_class;
extern zend_class_entry* versions_class;
extern zend_class_entry* server_log_format_class;
extern zend_class_entry* log_level_class;

Mode mode_of(zend_object* case_object);
Dispatch dispatch_of(zend_object* case_object);
SlowClient slow_client_of(zend_object* case_object);
/// A log::Level.
uint8_t log_level_of(zend_object* case_object);

}  // namespace sluice::php
