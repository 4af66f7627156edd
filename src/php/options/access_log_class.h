#pragma once

#include "php/zend/php_api.h"
#include "server/config/access_log_options.h"

namespace sluice::php {

extern zend_class_entry* access_log_class;
extern zend_class_entry* log_format_class;
void init_access_log_class(zend_class_entry* class_entry);

/// What a constructed Sluice\Http\AccessLog says.
AccessLogOptions access_log_of(zend_object* object);

}  // namespace sluice::php
