#pragma once

#include "php/zend/php_api.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

void init_stats_class(zend_class_entry* class_entry);
void init_worker_stats_class(zend_class_entry* class_entry);

zend_object* new_stats(const ServerStats& stats);

}  // namespace sluice::php
