#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct Worker;

void init_worker_class(zend_class_entry* class_entry);

/// The one Sluice\Worker of this process, borrowed.
zend_object* worker_object(Worker& worker);

/// Before PHP destroys all objects.
void release_worker_object();

}  // namespace sluice::php
