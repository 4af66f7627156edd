#pragma once

#include <memory>

#include "php/zend/php_api.h"
#include "protocol/http/error_page.h"

namespace sluice::php {

extern zend_class_entry* error_pages_class;
/// Sluice\Http\ErrorFormat
extern zend_class_entry* error_format_class;
void init_error_pages_class(zend_class_entry* class_entry);

/// What a constructed Sluice\Http\ErrorPages has.
const std::shared_ptr<const http::ErrorPages>& error_pages_of(zend_object* object);

}  // namespace sluice::php
