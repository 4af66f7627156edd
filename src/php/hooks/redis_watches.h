#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Keys that a Redis connection watches (WATCH). Its server knows, and the client does not; what others send by
// the connection meanwhile would end it, so it is part of a transaction.

void learn_redis_classes();
/// Call it after a call of a method on the object, with its result.
void note_redis_watch(const zend_object* connection, const zend_execute_data* call, const zval& result);
bool has_redis_watch(const zend_object* connection);
/// Tells the server to watch no more; false when the connection has failed.
bool end_redis_watch(zend_object* connection);
/// The connection has gone, or is another coroutine's from now.
void forget_redis_watch(const void* connection);

}  // namespace sluice::php
