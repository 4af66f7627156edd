#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

// Transactions that a coroutine has begun on a connection and not ended: until then the connection is for it
// and those that it spawns, for what another one did would be lost or kept with it.

/// Before a call on the connection: throws ConcurrentUseException and returns true when another coroutine,
/// which has not ended, has a transaction open there.
bool is_in_anothers_transaction(const Coroutine& self, const void* connection, const zend_execute_data* call);
/// After a call on the connection, which may have begun a transaction, or ended one.
void note_transaction(const Coroutine& self, const void* connection, const zend_execute_data* call);
/// The call that has begun the transaction of a connection; empty when that is not known.
std::string_view begin_of_transaction(const void* connection);

}  // namespace sluice::php
