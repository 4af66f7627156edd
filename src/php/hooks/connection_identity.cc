#include "php/hooks/connection_identity.h"

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

// Without their headers a statement counts as a connection of its own.

namespace sluice::php {

namespace {

zend_class_entry* find_class(const char* lower_name) {
    return static_cast<zend_class_entry*>(
        zend_hash_str_find_ptr(CG(class_table), lower_name, strlen(lower_name)));
}

bool is_of(const zend_object* object, const zend_class_entry* class_entry) {
    return class_entry && instanceof_function(object->ce, class_entry);
}

#ifdef SLUICE_KNOWS_PDO
zend_class_entry* pdo_statement_class = nullptr;

const void* connection_of_pdo_statement(zend_object* object) {
    const pdo_stmt_t* statement = php_pdo_stmt_fetch_object(object);
    const zval& connection = statement->database_object_handle;
    return Z_TYPE(connection) == IS_OBJECT ? Z_OBJ(connection) : nullptr;
}
#endif

#ifdef SLUICE_KNOWS_MYSQLI
zend_class_entry* mysqli_link_class = nullptr;
zend_class_entry* mysqli_statement_class = nullptr;

/// What the object stands for; nullptr before it is connected, or prepared, and after it is closed.
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
#endif

}  // namespace

void learn_connection_classes() {
#ifdef SLUICE_KNOWS_PDO
    pdo_statement_class = find_class("pdostatement");
#endif
#ifdef SLUICE_KNOWS_MYSQLI
    mysqli_link_class = find_class("mysqli");
    mysqli_statement_class = find_class("mysqli_stmt");
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
    return object;
}

}  // namespace sluice::php
