#pragma once

#include <string>
#include <string_view>

#include "php/coroutine/coroutine.h"

namespace sluice::php {

// Open transactions on connections. Until its end the connection is reserved for the coroutine that has begun
// it and for its children: changes of others would be committed or rolled back with it. When the last of them
// ends, a transaction that is still open is rolled back.

/// Call it first before a call on the connection: waits while a transaction that was left there is rolled
/// back. False with an exception when interrupted.
bool await_roll_back(Coroutine& self, const void* connection);
/// Call it before a call on the connection: throws ConcurrentUseException and returns true when another live
/// coroutine has an open transaction there, or has left one that cannot be rolled back.
bool is_in_anothers_transaction(const Coroutine& self, const void* connection, const zend_execute_data* call);
/// Call it after a call on the connection, which may have begun or ended a transaction. `self`: nullptr
/// outside of coroutines.
void note_transaction(const Coroutine* self, const void* connection, const zend_execute_data* call,
                      const zval& result);
/// The call that has begun the transaction of a connection; empty when that is not known.
std::string_view begin_of_transaction(const void* connection);

/// How many transactions were left open and rolled back, and the call that has begun the last one.
struct LeftTransactions {
    uint64_t count = 0;
    std::string last;
};
const LeftTransactions& left_transactions();

/// At the end of a job: rolls back and logs what it, or those that have spawned it, have left open. May
/// suspend.
void roll_back_left(Coroutine& self);
/// Call it before an object of a persistent connection is closed: the transaction that is found again by this
/// object would go on.
void roll_back_before_close(const zend_object* object, const void* connection);
/// Call it when all connections of odbc have been closed.
void forget_odbc_transactions();
/// Where there are no coroutines: transactions are noted while `noted` is true, and those that are open are
/// rolled back when it becomes false.
void note_transactions_outside(bool noted);
bool are_transactions_noted_outside();

/// Call it before PHP destroys all objects, and in a fork, where the connections are the parent's.
void forget_transactions();

}  // namespace sluice::php
