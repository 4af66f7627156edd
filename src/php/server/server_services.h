#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct ServerSetup;

/// Adds a service of one process, whose function is a method of `object`.
void add_service(ServerSetup& setup, const char* name, zend_object* object, const char* method);

}  // namespace sluice::php
