#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Connections to SQLite: of the class SQLite3, whose headers PHP does not install, and PDO's.

/// Call it before the others, when all extensions are loaded.
void learn_sqlite3_classes();

bool is_sqlite3_connection(const zend_object* object);
bool is_sqlite3_statement(const zend_object* object);
/// The SQLite3 object that has prepared it.
zend_object* connection_of_sqlite3_statement(zend_object* statement);
bool has_open_sqlite3_transaction(zend_object* connection);
/// Of a PDO connection, by its driver's own data; `noted` is what PDO has noted, for where the library cannot
/// be asked. Since PHP 8.4 its driver tells.
bool has_open_pdo_sqlite_transaction(const void* driver_data, bool noted);
/// False when it is still open.
bool roll_back_sqlite3(zend_object* connection);

}  // namespace sluice::php
