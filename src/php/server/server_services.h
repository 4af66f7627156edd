#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct ServerSetup;

/// One process, whose function is a method of an object of ours.
void add_service(ServerSetup& setup, const char* name, zend_object* object, const char* method);

}  // namespace sluice::php
