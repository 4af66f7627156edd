#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Functions of the application that are called at once, each in a coroutine, and awaited together. What was
// begun has ended when one of these returns. They need a coroutine to wait in, and throw where there is none.

/// What decides: all, or the first that succeeds, or the first that ends, or nothing: each one's outcome
/// counts.
enum class Goal { kAll, kAny, kRace, kSettle };

/// Of `functions`, and of `named` ones, which may be nullptr.
void gather(Goal goal, uint32_t count, zval* functions, HashTable* named, zval* return_value);
/// Calls the function with each of the items, at most `limit` at a time.
void gather_items(HashTable* items, zval* function, uint32_t limit, zval* return_value);
/// Throws TimeoutException when the function has not ended in time.
void gather_in_time(zval* function, double seconds, zval* return_value);

}  // namespace sluice::php
