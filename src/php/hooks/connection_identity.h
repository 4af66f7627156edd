#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Call it before connection_of(), when all extensions are loaded.
void learn_connection_classes();

/// The identity of an object's connection, equal for all objects that use it, such as a statement and the
/// object that prepared it; nullptr when it has none.
const void* connection_of(zend_object* object);

/// Whether the object's connection is within a transaction, as far as its driver knows without asking the
/// server. For Redis: whether commands are queued (MULTI, pipeline).
bool has_open_transaction(zend_object* object);

}  // namespace sluice::php
