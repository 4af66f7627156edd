#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct Worker;

void init_service_class(zend_class_entry* class_entry);

/// The one Sluice\Service of a service's process, without a reference for the caller.
zend_object* service_object(Worker& worker);

/// To be called before PHP destroys all objects.
void release_service_object();

}  // namespace sluice::php
