#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

extern zend_class_entry* full_exception_class;

void init_table_class(zend_class_entry* class_entry);
void init_table_stats_class(zend_class_entry* class_entry);

}  // namespace sluice::php
