#pragma once

#include <string_view>

#include "php/zend/php_api.h"

namespace sluice::php {

// The extension odbc: its connections and results are resources up to PHP 8.3, and objects from 8.4 on.

void learn_odbc_classes();

/// nullptr when the value is neither a connection nor a result of odbc, or was closed.
const void* connection_of_odbc(const zval& value);
/// The connection itself, where a result is given; without a reference of its own. False when it has gone.
bool find_odbc_link(const zval& value, zval& link);

/// Call it after a call on the connection. ODBC does not say whether a transaction is open, only whether
/// statements begin one (odbc_autocommit()).
void note_odbc_call(const zval& subject, const void* connection, const zend_execute_data* call,
                    const zval& result);
/// Whether an SQLSTATE, of PDO's driver odbc too, says that the connection is lost: class 08.
constexpr bool is_odbc_state_of_loss(std::string_view state) {
    return state.starts_with("08");
}
bool has_open_odbc_transaction(const void* connection);
/// A connection that has one; nullptr: none.
const void* any_odbc_transaction();
/// False when it is still open, or the connection is lost.
bool roll_back_odbc(zval& link);
bool is_odbc_link_lost(zval& link);
/// The connection has gone, or is another coroutine's from now.
void forget_odbc_transaction(const void* connection);

}  // namespace sluice::php
