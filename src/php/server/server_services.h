#pragma once

#include "php/coroutine/callback.h"
#include "php/zend/php_api.h"

namespace sluice::php {

struct ServerSetup;

/// A public method of the object as a callback, which holds a reference to it.
Callback callback_to(zend_object* object, const char* method);

/// Makes an object of a class of src/php/library, whose constructor is still to be called. False when it has
/// thrown.
bool new_library_object(zval* object, const char* class_name);

/// Adds a service of one process, whose function is a method of `object`.
void add_service(ServerSetup& setup, const char* name, zend_object* object, const char* method);

}  // namespace sluice::php
