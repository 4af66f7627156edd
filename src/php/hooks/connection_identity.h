#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Call it before connection_of(), when all extensions are loaded.
void learn_connection_classes();

/// The identity of an object's connection, equal for all objects that use it, such as a statement and the
/// object that prepared it, or two objects that have asked for one persistent connection; nullptr when it has
/// none.
const void* connection_of(zend_object* object);
/// Of an object, or of a resource of odbc.
const void* connection_of(const zval& subject);

/// The driver of a PDO or of a statement of it: `mysql`, `pgsql`; empty for other objects.
std::string_view driver_of_pdo(zend_object* object);
/// The SQL of a statement of PDO; empty for other objects.
std::string_view sql_of_statement(zend_object* object);

/// A connection that is to be found again when no object of it is at hand.
struct HeldConnection {
    enum class By : uint8_t {
        kWatched,  ///< an object, whose end ends its transaction
        kKept,     ///< an object or a resource, whose end does not, or is told to nobody
        kDriver,   ///< the driver's data, which counts who holds it
    };
    void* of;
    By by;
};

/// `subject`: the object or the resource of a call on the connection. `gone` is called when the connection's
/// object is destroyed, which releases it.
HeldConnection hold_connection(const zval& subject, const void* connection, void (*gone)(const void*));
void release_connection(HeldConnection held);
enum class RolledBack : uint8_t {
    kYes,
    kNo,    ///< its driver cannot: it is still open
    kLost,  ///< the connection has gone, and its server rolls back
};
/// Rolls back the connection's transaction.
RolledBack roll_back_connection(HeldConnection held);
/// Call it before PHP destroys all objects.
void release_connections();

/// Whether the object's connection is within a transaction, as far as its driver knows without asking the
/// server. For Redis: whether commands are queued (MULTI, pipeline), or keys watched.
bool has_open_transaction(zend_object* object);
bool has_open_transaction(const zval& subject);

}  // namespace sluice::php
