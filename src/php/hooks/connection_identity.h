#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Before connection_of(), when all extensions are loaded.
void learn_connection_classes();

/// What is the same for all objects that speak over one connection, such as a statement and the object that
/// it was prepared with; nullptr when it has none.
const void* connection_of(zend_object* object);

/// Whether the connection that the object speaks over is within a transaction, as far as its driver knows
/// without asking. Of Redis: whether commands are collected.
bool has_open_transaction(zend_object* object);

}  // namespace sluice::php
