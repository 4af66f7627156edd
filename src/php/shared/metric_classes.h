#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Of Counter, Gauge and Histogram, which are alike but for their methods.
void init_metric_class(zend_class_entry* class_entry);

}  // namespace sluice::php
