#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Calls functions of the application concurrently, each in a coroutine, and waits for them. All have ended
// when one of these returns. They throw when called outside of a coroutine.

/// What decides the result: all, the first success, the first end, or nothing (each task has its own
/// outcome).
enum class Goal { kAll, kAny, kRace, kSettle };

/// Gathers `functions` and `named` ones; `named` may be nullptr.
void gather(Goal goal, uint32_t count, zval* functions, HashTable* named, zval* return_value);
/// Calls the function with each of the items, at most `limit` at a time.
void gather_items(HashTable* items, zval* function, uint32_t limit, zval* return_value);
/// Throws TimeoutException when the function has not ended in time.
void gather_in_time(zval* function, double seconds, zval* return_value);

}  // namespace sluice::php
