#include "php/hooks/connection_identity.h"

#include <Zend/zend_weakrefs.h>

#include "php/hooks/redis_watches.h"
#include "php/hooks/sqlite3_connections.h"
#include "php/zend/exceptions.h"
#include "php/zend/wrapped_functions.h"

#if __has_include(<ext/pdo/php_pdo_driver.h>)
// The second one relies on the first.
// clang-format off
#include <ext/pdo/php_pdo.h>
#include <ext/pdo/php_pdo_driver.h>
// clang-format on
#define SLUICE_KNOWS_PDO 1
#endif

#if __has_include(<ext/mysqlnd/mysqlnd.h>) && __has_include(<ext/mysqli/php_mysqli_structs.h>)
extern "C" {
// The second one relies on the first.
// clang-format off
#include <ext/mysqli/php_mysqli_structs.h>
#include <ext/mysqlnd/mysqlnd.h>
// clang-format on
}
#define SLUICE_KNOWS_MYSQLI 1
#endif

// Without these headers a statement counts as a connection of its own.

namespace sluice::php {

namespace {

bool is_of(const zend_object* object, const zend_class_entry* class_entry) {
    return class_entry && instanceof_function(object->ce, class_entry);
}

/// MySQL's error for a query while the result of another one is being read.
constexpr int kOutOfSync = 2014;

#ifdef SLUICE_KNOWS_PDO
zend_class_entry* pdo_class = nullptr;
zend_class_entry* pdo_statement_class = nullptr;

const void* connection_of_pdo_statement(zend_object* object) {
    const pdo_stmt_t* statement = php_pdo_stmt_fetch_object(object);
    const zval& connection = statement->database_object_handle;
    return Z_TYPE(connection) == IS_OBJECT ? Z_OBJ(connection) : nullptr;
}

std::string_view driver_of(const pdo_dbh_t* connection) {
    return {connection->driver->driver_name, connection->driver->driver_name_len};
}

bool has_open_transaction(pdo_dbh_t* connection) {
    if (!connection || !connection->methods || connection->is_closed) return false;
    const pdo_dbh_txn_func ask = connection->methods->in_transaction;
    if (ask) return ask(connection);
    if (driver_of(connection) != "sqlite") return connection->in_txn;
    return has_open_pdo_sqlite_transaction(connection->driver_data, connection->in_txn);
}

/// Whether it was not the server's connection that has failed. libpq has no other reason.
bool is_whole(pdo_dbh_t* connection) {
    const std::string_view driver = driver_of(connection);
    if (driver == "pgsql") return false;
    if (driver != "mysql" || !connection->methods->fetch_err) return true;
    zval told;
    array_init(&told);
    connection->methods->fetch_err(connection, nullptr, &told);
    const zval* const code = zend_hash_index_find(Z_ARRVAL(told), 0);
    const bool out_of_sync = code && Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) == kOutOfSync;
    zval_ptr_dtor(&told);
    return out_of_sync;
}

/// By the driver, not by PDO's method, which a subclass of the application's may replace.
RolledBack roll_back(pdo_dbh_t* connection) {
    if (!connection || !connection->methods || connection->is_closed) return RolledBack::kLost;
    if (!connection->methods->rollback) return RolledBack::kNo;
    if (connection->methods->rollback(connection)) {
        connection->in_txn = false;
        return RolledBack::kYes;
    }
    return is_whole(connection) ? RolledBack::kNo : RolledBack::kLost;
}
#endif

#ifdef SLUICE_KNOWS_MYSQLI
zend_class_entry* mysqli_link_class = nullptr;
zend_class_entry* mysqli_statement_class = nullptr;

/// The driver's data of the object; nullptr before it is connected or prepared, and after it is closed.
void* content_of(zend_object* object) {
    const mysqli_object* holder =
        reinterpret_cast<mysqli_object*>(reinterpret_cast<char*>(object) - XtOffsetOf(mysqli_object, zo));
    const MYSQLI_RESOURCE* resource = static_cast<MYSQLI_RESOURCE*>(holder->ptr);
    return resource ? resource->ptr : nullptr;
}

const void* connection_of_mysqli_link(zend_object* object) {
    const MY_MYSQL* link = static_cast<MY_MYSQL*>(content_of(object));
    return link && link->mysql ? link->mysql->data : nullptr;
}

const void* connection_of_mysqli_statement(zend_object* object) {
    const MY_STMT* statement = static_cast<MY_STMT*>(content_of(object));
    return statement && statement->stmt && statement->stmt->data ? statement->stmt->data->conn : nullptr;
}

bool has_open_transaction(const void* connection) {
    const MYSQLND_CONN_DATA* const data = static_cast<const MYSQLND_CONN_DATA*>(connection);
    return data && (data->m->get_server_status(data) & SERVER_STATUS_IN_TRANS);
}

/// Of a connection that has been closed nothing is left.
bool is_closed(MYSQLND_CONN_DATA* data) {
    const auto state = data->state.m->get(&data->state);
    return state == CONN_QUIT_SENT || state == CONN_ALLOCED;
}
#endif

/// For drivers without public headers: asks for a transaction by a function or method that PHP code has, too.
struct Question {
    const char* class_name;
    const char* method;      ///< nullptr: `function` is called with the object
    const char* function;    ///< nullptr: `method` is called
    zend_long least, most;   ///< answers in this range mean a transaction
    const char* rolls_back;  ///< a method, or a function that is called with the object and "ROLLBACK"
    zend_class_entry* class_entry;
    zend_function* asked;
};

Question questions[] = {
    // PGSQL_TRANSACTION_INTRANS and _INERROR, but neither _ACTIVE nor _UNKNOWN, of a lost connection
    {"pgsql\\connection", nullptr, "pg_transaction_status", 2, 3, "pg_query", nullptr, nullptr},
    // Redis::MULTI and Redis::PIPELINE
    {"redis", "getmode", nullptr, 1, ZEND_LONG_MAX, "discard", nullptr, nullptr},
    {"rediscluster", "getmode", nullptr, 1, ZEND_LONG_MAX, "discard", nullptr, nullptr},
};

/// Objects whose end is told; values are their addresses.
HashTable watched;
bool watches = false;
void (*tell_gone)(const void* connection) = nullptr;

zend_function* find_function(HashTable* table, const char* name) {
    return static_cast<zend_function*>(zend_hash_str_find_ptr(table, name, strlen(name)));
}

bool says_yes(const Question& question, zend_object* object) {
    // While an exception propagates nothing may be called.
    if (!question.asked || EG(exception)) return false;
    zval answer, argument;
    ZVAL_UNDEF(&answer);
    ZVAL_OBJ(&argument, object);
    if (question.method) {
        zend_call_known_function(question.asked, object, object->ce, &answer, 0, nullptr, nullptr);
    } else {
        zend_call_known_function(question.asked, nullptr, nullptr, &answer, 1, &argument, nullptr);
    }
    // The connection has been closed meanwhile.
    if (EG(exception)) zend_clear_exception();
    const bool yes =
        Z_TYPE(answer) == IS_LONG && Z_LVAL(answer) >= question.least && Z_LVAL(answer) <= question.most;
    zval_ptr_dtor(&answer);
    return yes;
}

void roll_back(const Question& question, zend_object* object) {
    zval answer, arguments[2];
    ZVAL_UNDEF(&answer);
    const int reporting = EG(error_reporting);
    EG(error_reporting) = 0;
    if (question.method) {
        zend_function* const method = find_function(&object->ce->function_table, question.rolls_back);
        zend_call_known_function(method, object, object->ce, &answer, 0, nullptr, nullptr);
    } else {
        zend_function* const function = find_function(CG(function_table), question.rolls_back);
        ZVAL_OBJ(&arguments[0], object);
        ZVAL_STRING(&arguments[1], "ROLLBACK");
        zend_call_known_function(function, nullptr, nullptr, &answer, 2, arguments, nullptr);
        zval_ptr_dtor(&arguments[1]);
    }
    EG(error_reporting) = reporting;
    if (EG(exception) && !is_exit(EG(exception))) zend_clear_exception();
    zval_ptr_dtor(&answer);
}

RolledBack roll_back(zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_class)) return roll_back(php_pdo_dbh_fetch_inner(object));
#endif
    if (is_sqlite3_connection(object)) {
        if (!has_open_sqlite3_transaction(object)) return RolledBack::kLost;
        return roll_back_sqlite3(object) ? RolledBack::kYes : RolledBack::kNo;
    }
    for (const Question& question : questions) {
        if (!is_of(object, question.class_entry)) continue;
        const bool is_open = says_yes(question, object);
        if (is_open) roll_back(question, object);
        const bool is_watching = has_redis_watch(object);
        if (is_watching && !end_redis_watch(object)) return RolledBack::kLost;
        // It has gone since.
        if (!is_open) return is_watching ? RolledBack::kYes : RolledBack::kLost;
        return says_yes(question, object) ? RolledBack::kNo : RolledBack::kYes;
    }
    return RolledBack::kNo;
}

}  // namespace

HeldConnection hold_connection(zend_object* object, const void* connection, void (*gone)(const void*)) {
#ifdef SLUICE_KNOWS_MYSQLI
    if (is_of(object, mysqli_link_class) || is_of(object, mysqli_statement_class)) {
        auto* const data = static_cast<MYSQLND_CONN_DATA*>(const_cast<void*>(connection));
        data->m->get_reference(data);
        return {data, false};
    }
#endif
    if (!watches) {
        zend_hash_init(
            &watched, 8, nullptr, [](zval* value) { tell_gone(Z_PTR_P(value)); }, false);
        watches = true;
        tell_gone = gone;
    }
    void* const watched_object = const_cast<void*>(connection);
    zend_weakrefs_hash_add_ptr(&watched, static_cast<zend_object*>(watched_object), watched_object);
    return {watched_object, true};
}

void release_connection(HeldConnection held) {
    if (held.is_object) {
        zend_weakrefs_hash_del(&watched, static_cast<zend_object*>(held.connection));
        return;
    }
#ifdef SLUICE_KNOWS_MYSQLI
    auto* const data = static_cast<MYSQLND_CONN_DATA*>(held.connection);
    data->m->free_reference(data);
#endif
}

RolledBack roll_back_connection(HeldConnection held) {
    if (held.is_object) {
        auto* const object = static_cast<zend_object*>(held.connection);
        GC_ADDREF(object);
        const RolledBack result = roll_back(object);
        OBJ_RELEASE(object);
        return result;
    }
#ifdef SLUICE_KNOWS_MYSQLI
    auto* const data = static_cast<MYSQLND_CONN_DATA*>(held.connection);
    if (is_closed(data)) return RolledBack::kLost;
    if (data->m->tx_rollback(data) == PASS) return RolledBack::kYes;
    return data->error_info->error_no == kOutOfSync ? RolledBack::kNo : RolledBack::kLost;
#else
    return RolledBack::kNo;
#endif
}

void release_connections() {
    if (watches) zend_hash_destroy(&watched);
    watches = false;
}

void learn_connection_classes() {
    learn_sqlite3_classes();
    learn_redis_classes();
    for (Question& question : questions) {
        question.class_entry = find_internal_class(question.class_name);
        if (!question.class_entry) continue;
        question.asked = question.method
                             ? find_function(&question.class_entry->function_table, question.method)
                             : find_function(CG(function_table), question.function);
    }
#ifdef SLUICE_KNOWS_PDO
    pdo_class = find_internal_class("pdo");
    pdo_statement_class = find_internal_class("pdostatement");
#endif
#ifdef SLUICE_KNOWS_MYSQLI
    mysqli_link_class = find_internal_class("mysqli");
    mysqli_statement_class = find_internal_class("mysqli_stmt");
#endif
}

const void* connection_of(zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_statement_class)) return connection_of_pdo_statement(object);
#endif
#ifdef SLUICE_KNOWS_MYSQLI
    if (is_of(object, mysqli_link_class)) return connection_of_mysqli_link(object);
    if (is_of(object, mysqli_statement_class)) return connection_of_mysqli_statement(object);
#endif
    if (is_sqlite3_statement(object)) return connection_of_sqlite3_statement(object);
    return object;
}

bool has_open_transaction(zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_class)) return has_open_transaction(php_pdo_dbh_fetch_inner(object));
    if (is_of(object, pdo_statement_class))
        return has_open_transaction(php_pdo_stmt_fetch_object(object)->dbh);
#endif
#ifdef SLUICE_KNOWS_MYSQLI
    if (is_of(object, mysqli_link_class)) return has_open_transaction(connection_of_mysqli_link(object));
    if (is_of(object, mysqli_statement_class))
        return has_open_transaction(connection_of_mysqli_statement(object));
#endif
    if (is_sqlite3_statement(object)) {
        zend_object* const connection = connection_of_sqlite3_statement(object);
        return connection && has_open_sqlite3_transaction(connection);
    }
    if (is_sqlite3_connection(object)) return has_open_sqlite3_transaction(object);
    for (const Question& question : questions)
        if (is_of(object, question.class_entry)) return has_redis_watch(object) || says_yes(question, object);
    return false;
}

}  // namespace sluice::php
