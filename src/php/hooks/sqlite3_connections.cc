#include "php/hooks/sqlite3_connections.h"

#include <dlfcn.h>

#include "php/zend/exceptions.h"
#include "php/zend/php_versions.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

// As ext/sqlite3/php_sqlite3_structs.h and ext/pdo_sqlite/php_pdo_sqlite_int.h begin them, since PHP 7.
struct Connection {
    int is_open;
    void* database;
};
struct PdoConnection {
    void* database;
};
struct Statement {
    void* statement;
    Connection* connection;
    zval object;
};

zend_class_entry* connection_class = nullptr;
zend_class_entry* statement_class = nullptr;

/// Functions of the library that the extension is linked with.
int (*sqlite3_get_autocommit)(void* database) = nullptr;
int (*sqlite3_exec)(void* database, const char* sql, void* callback, void* argument, char** error) = nullptr;

template <typename F>
void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

bool is_of(const zend_object* object, const zend_class_entry* class_entry) {
    return class_entry && instanceof_function(object->ce, class_entry);
}

template <typename Content>
Content* content_of(zend_object* object) {
    return reinterpret_cast<Content*>(reinterpret_cast<char*>(object) - object->handlers->offset);
}

}  // namespace

void learn_sqlite3_classes() {
    find(sqlite3_get_autocommit, "sqlite3_get_autocommit");
    find(sqlite3_exec, "sqlite3_exec");
    const bool is_known = kKnowsSqlite3Objects && sqlite3_get_autocommit && sqlite3_exec;
    connection_class = is_known ? find_internal_class("sqlite3") : nullptr;
    statement_class = is_known ? find_internal_class("sqlite3stmt") : nullptr;
}

bool is_sqlite3_connection(const zend_object* object) {
    return is_of(object, connection_class);
}

bool is_sqlite3_statement(const zend_object* object) {
    return is_of(object, statement_class);
}

zend_object* connection_of_sqlite3_statement(zend_object* statement) {
    const zval& connection = content_of<Statement>(statement)->object;
    return Z_TYPE(connection) == IS_OBJECT ? Z_OBJ(connection) : nullptr;
}

bool has_open_sqlite3_transaction(zend_object* connection) {
    const Connection* const content = content_of<Connection>(connection);
    return content->is_open && content->database && !sqlite3_get_autocommit(content->database);
}

bool has_open_pdo_sqlite_transaction(const void* driver_data, bool noted) {
    const auto* const content = static_cast<const PdoConnection*>(driver_data);
    if (!sqlite3_get_autocommit || !content || !content->database) return noted;
    return !sqlite3_get_autocommit(content->database);
}

bool roll_back_sqlite3(zend_object* connection) {
    sqlite3_exec(content_of<Connection>(connection)->database, "ROLLBACK", nullptr, nullptr, nullptr);
    // Of an authorizer
    if (EG(exception) && !is_exit(EG(exception))) zend_clear_exception();
    return !has_open_sqlite3_transaction(connection);
}

}  // namespace sluice::php
