#include "php/hooks/connection_identity.h"

#include <Zend/zend_weakrefs.h>

#include "php/hooks/odbc_connections.h"
#include "php/hooks/redis_watches.h"
#include "php/hooks/sqlite3_connections.h"
#include "php/zend/exceptions.h"
#include "php/zend/php_versions.h"
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

zend_object* object_of_pdo_statement(zend_object* object) {
    const zval& connection = php_pdo_stmt_fetch_object(object)->database_object_handle;
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
    if (driver == "odbc") return !is_odbc_state_of_loss(connection->error_code);
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

// As ext/pgsql/php_pgsql.h begins it, since PHP 8.1.
struct PgsqlLink {
    void* connection;
    void* hash;
    void* notices;
    bool is_persistent;
};

// As php_memcached.c begins it, since 3.0.
struct MemcachedObject {
    void* connection;
};

zend_class_entry* pgsql_class = nullptr;
zend_class_entry* memcached_class = nullptr;

template <typename Content>
const Content* begin_of(zend_object* object) {
    return reinterpret_cast<const Content*>(reinterpret_cast<char*>(object) - object->handlers->offset);
}

const void* connection_of_pgsql(zend_object* object) {
    const auto* const link = begin_of<PgsqlLink>(object);
    // Another one's address may be that of one that has been closed.
    return link->connection && link->is_persistent ? link->connection : object;
}

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

/// Objects whose end is told; values are the identities of their connections.
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

zval value_of(HeldConnection held) {
    zval value;
    if (GC_TYPE(static_cast<zend_refcounted*>(held.of)) == IS_OBJECT) {
        ZVAL_OBJ(&value, static_cast<zend_object*>(held.of));
    } else {
        ZVAL_RES(&value, static_cast<zend_resource*>(held.of));
    }
    return value;
}

/// Of odbc
RolledBack roll_back_link(zval& link) {
    // It has gone since.
    if (!has_open_odbc_transaction(connection_of_odbc(link))) return RolledBack::kLost;
    if (roll_back_odbc(link)) return RolledBack::kYes;
    return is_odbc_link_lost(link) ? RolledBack::kLost : RolledBack::kNo;
}

/// The object that lives for as long as it has the connection; a statement's is the one that prepared it.
zend_object* owner_of(zend_object* object) {
    zend_object* owner = nullptr;
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_statement_class)) owner = object_of_pdo_statement(object);
#endif
    if (is_sqlite3_statement(object)) owner = connection_of_sqlite3_statement(object);
    return owner ? owner : object;
}

/// Whether the connection, with its transaction, outlives the object.
bool is_persistent(zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_class)) return php_pdo_dbh_fetch_inner(object)->is_persistent;
#endif
    return is_of(object, pgsql_class) && connection_of_pgsql(object) != object;
}

}  // namespace

HeldConnection hold_connection(const zval& subject, const void* connection, void (*gone)(const void*)) {
    using By = HeldConnection::By;
#ifdef SLUICE_KNOWS_MYSQLI
    if (Z_TYPE(subject) == IS_OBJECT &&
        (is_of(Z_OBJ(subject), mysqli_link_class) || is_of(Z_OBJ(subject), mysqli_statement_class))) {
        auto* const data = static_cast<MYSQLND_CONN_DATA*>(const_cast<void*>(connection));
        data->m->get_reference(data);
        return {data, By::kDriver};
    }
#endif
    zval link;
    const bool is_odbc = find_odbc_link(subject, link);
    if (!is_odbc) ZVAL_COPY_VALUE(&link, &subject);
    if (Z_TYPE(link) == IS_OBJECT) ZVAL_OBJ(&link, owner_of(Z_OBJ(link)));
    if (Z_TYPE(link) == IS_RESOURCE || is_persistent(Z_OBJ(link))) {
        Z_ADDREF(link);
        return {Z_COUNTED(link), By::kKept};
    }
    if (!watches) {
        zend_hash_init(
            &watched, 8, nullptr, [](zval* value) { tell_gone(Z_PTR_P(value)); }, false);
        watches = true;
        tell_gone = gone;
    }
    zend_weakrefs_hash_add_ptr(&watched, Z_OBJ(link), const_cast<void*>(connection));
    return {Z_OBJ(link), By::kWatched};
}

void release_connection(HeldConnection held) {
    switch (held.by) {
        case HeldConnection::By::kWatched:
            zend_weakrefs_hash_del(&watched, static_cast<zend_object*>(held.of));
            return;
        case HeldConnection::By::kKept: {
            zval kept = value_of(held);
            zval_ptr_dtor(&kept);
            return;
        }
        case HeldConnection::By::kDriver: break;
    }
#ifdef SLUICE_KNOWS_MYSQLI
    auto* const data = static_cast<MYSQLND_CONN_DATA*>(held.of);
    data->m->free_reference(data);
#endif
}

RolledBack roll_back_connection(HeldConnection held) {
    if (held.by != HeldConnection::By::kDriver) {
        zval link = value_of(held);
        Z_ADDREF(link);
        const bool is_odbc = Z_TYPE(link) == IS_RESOURCE || connection_of_odbc(link);
        const RolledBack result = is_odbc ? roll_back_link(link) : roll_back(Z_OBJ(link));
        zval_ptr_dtor(&link);
        return result;
    }
#ifdef SLUICE_KNOWS_MYSQLI
    auto* const data = static_cast<MYSQLND_CONN_DATA*>(held.of);
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
    learn_odbc_classes();
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
    memcached_class = find_internal_class("memcached");
    pgsql_class = kKnowsPgsqlObjects ? find_internal_class("pgsql\\connection") : nullptr;
#ifdef SLUICE_KNOWS_MYSQLI
    mysqli_link_class = find_internal_class("mysqli");
    mysqli_statement_class = find_internal_class("mysqli_stmt");
#endif
}

const void* connection_of(zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_class)) return php_pdo_dbh_fetch_inner(object);
    if (is_of(object, pdo_statement_class)) return php_pdo_stmt_fetch_object(object)->dbh;
#endif
#ifdef SLUICE_KNOWS_MYSQLI
    if (is_of(object, mysqli_link_class)) return connection_of_mysqli_link(object);
    if (is_of(object, mysqli_statement_class)) return connection_of_mysqli_statement(object);
#endif
    if (is_sqlite3_statement(object)) return connection_of_sqlite3_statement(object);
    if (is_of(object, pgsql_class)) return connection_of_pgsql(object);
    if (is_of(object, memcached_class)) return begin_of<MemcachedObject>(object)->connection;
    return object;
}

std::string_view driver_of_pdo([[maybe_unused]] zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    const pdo_dbh_t* const connection = is_of(object, pdo_class) ? php_pdo_dbh_fetch_inner(object)
                                        : is_of(object, pdo_statement_class)
                                            ? php_pdo_stmt_fetch_object(object)->dbh
                                            : nullptr;
    if (connection && connection->driver) return driver_of(connection);
#endif
    return {};
}

std::string_view sql_of_statement([[maybe_unused]] zend_object* object) {
#ifdef SLUICE_KNOWS_PDO
    if (is_of(object, pdo_statement_class) && php_pdo_stmt_fetch_object(object)->query_string)
        return view(php_pdo_stmt_fetch_object(object)->query_string);
#endif
    return {};
}

const void* connection_of(const zval& subject) {
    if (const void* const connection = connection_of_odbc(subject)) return connection;
    return Z_TYPE(subject) == IS_OBJECT ? connection_of(Z_OBJ(subject)) : nullptr;
}

bool has_open_transaction(const zval& subject) {
    if (const void* const connection = connection_of_odbc(subject))
        return has_open_odbc_transaction(connection);
    return Z_TYPE(subject) == IS_OBJECT && has_open_transaction(Z_OBJ(subject));
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
