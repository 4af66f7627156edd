#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

// Open transactions on connections. Until its end the connection is reserved for the coroutine that has begun
// it and for its children: changes of others would be committed or rolled back with it.

/// Call it before a call on the connection: throws ConcurrentUseException and returns true when another live
/// coroutine has an open transaction there.
bool is_in_anothers_transaction(const Coroutine& self, const void* connection, const zend_execute_data* call);
/// Call it after a call on the connection, which may have begun or ended a transaction.
void note_transaction(const Coroutine& self, const void* connection, const zend_execute_data* call);
/// The call that has begun the transaction of a connection; empty when that is not known.
std::string_view begin_of_transaction(const void* connection);

}  // namespace sluice::php
