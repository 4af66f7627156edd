#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Http\DocumentRoot.
void init_document_root_class(zend_class_entry* class_entry);
bool is_document_root(const zval* target);

}  // namespace sluice::php
