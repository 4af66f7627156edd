#include "php/hooks/odbc_connections.h"

#include <string_view>
#include <unordered_set>

#include "php/zend/exceptions.h"
#include "php/zend/php_versions.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

// As ext/odbc/php_odbc_includes.h and php_odbc.c begin them.
struct Link {
    const void* connection;
};
struct Result {
    void* statement;
    void* values;
    int16_t columns;
    int16_t parameters;
    int fetched_absolutely;
    zend_long read_at_most;
    int binary_mode;
    int fetched;
    void* about_parameters;
    const void* connection;
};

zend_class_entry* link_class = nullptr;
zend_class_entry* result_class = nullptr;
zend_function* autocommit = nullptr;
zend_function* rollback = nullptr;
zend_function* error_state = nullptr;

/// Connections whose statements since the last end of a transaction have begun one.
std::unordered_set<const void*> begun;

enum class Kind : uint8_t { kNone, kLink, kResult };

Kind kind_of(const zend_resource* resource) {
    const char* const name =
        resource->ptr ? zend_rsrc_list_get_rsrc_type(const_cast<zend_resource*>(resource)) : nullptr;
    const std::string_view type = name ? name : "";
    if (type == "odbc link" || type == "odbc link persistent") return Kind::kLink;
    return type == "odbc result" ? Kind::kResult : Kind::kNone;
}

Kind kind_of(const zend_object* object) {
    if (link_class && instanceof_function(object->ce, link_class)) return Kind::kLink;
    return result_class && instanceof_function(object->ce, result_class) ? Kind::kResult : Kind::kNone;
}

Kind kind_of(const zval& value) {
    if (!autocommit) return Kind::kNone;
    if (Z_TYPE(value) == IS_RESOURCE) return kind_of(Z_RES(value));
    return Z_TYPE(value) == IS_OBJECT ? kind_of(Z_OBJ(value)) : Kind::kNone;
}

/// The content of a link's object is its Link, that of a link's resource the connection itself.
const void* content_of(const zval& value) {
    if (Z_TYPE(value) == IS_RESOURCE) return Z_RES(value)->ptr;
    return reinterpret_cast<const char*>(Z_OBJ(value)) - Z_OBJ(value)->handlers->offset;
}

/// What the function answers of the connection.
void ask(zend_function* function, zval& link, zval& answer) {
    ZVAL_UNDEF(&answer);
    const int reporting = EG(error_reporting);
    EG(error_reporting) = 0;
    zend_call_known_function(function, nullptr, nullptr, &answer, 1, &link, nullptr);
    EG(error_reporting) = reporting;
    if (EG(exception) && !is_exit(EG(exception))) zend_clear_exception();
}

/// Whether statements begin a transaction.
bool is_manual(const zval& subject) {
    zval link, answer;
    if (EG(exception) || !find_odbc_link(subject, link)) return false;
    ask(autocommit, link, answer);
    const bool manual = Z_TYPE(answer) == IS_LONG && Z_LVAL(answer) == 0;
    zval_ptr_dtor(&answer);
    return manual;
}

}  // namespace

void learn_odbc_classes() {
    const auto find = [](std::string_view name) {
        return static_cast<zend_function*>(
            zend_hash_str_find_ptr(CG(function_table), name.data(), name.size()));
    };
    if (!kKnowsOdbcObjects) return;
    autocommit = find("odbc_autocommit");
    rollback = find("odbc_rollback");
    error_state = find("odbc_error");
    link_class = find_internal_class("odbc\\connection");
    result_class = find_internal_class("odbc\\result");
}

const void* connection_of_odbc(const zval& value) {
    switch (kind_of(value)) {
        case Kind::kNone: return nullptr;
        case Kind::kResult: return static_cast<const Result*>(content_of(value))->connection;
        case Kind::kLink: break;
    }
    const void* const content = content_of(value);
    return Z_TYPE(value) == IS_RESOURCE ? content : static_cast<const Link*>(content)->connection;
}

bool find_odbc_link(const zval& value, zval& link) {
    const void* const connection = connection_of_odbc(value);
    if (!connection) return false;
    if (kind_of(value) == Kind::kLink) {
        ZVAL_COPY_VALUE(&link, &value);
        return true;
    }
    if (Z_TYPE(value) == IS_RESOURCE) {
        zval* candidate;
        ZEND_HASH_FOREACH_VAL(&EG(regular_list), candidate) {
            if (Z_RES_P(candidate)->ptr != connection || kind_of(Z_RES_P(candidate)) != Kind::kLink) continue;
            ZVAL_COPY_VALUE(&link, candidate);
            return true;
        }
        ZEND_HASH_FOREACH_END();
        return false;
    }
    for (uint32_t handle = 1; handle < EG(objects_store).top; ++handle) {
        zend_object* const object = EG(objects_store).object_buckets[handle];
        if (!IS_OBJ_VALID(object) || kind_of(object) != Kind::kLink) continue;
        ZVAL_OBJ(&link, object);
        if (connection_of_odbc(link) == connection) return true;
    }
    return false;
}

void note_odbc_call(const zval& subject, const void* connection, const zend_execute_data* call,
                    const zval& result) {
    if (kind_of(subject) == Kind::kNone && !begun.contains(connection)) return;
    const std::string_view name = view(call->func->common.function_name);
    if (name == "odbc_close") {
        begun.erase(connection);
    } else if (name == "odbc_commit" || name == "odbc_rollback" || name == "odbc_autocommit") {
        const bool asks = name == "odbc_autocommit" && ZEND_CALL_NUM_ARGS(call) < 2;
        if (!asks && Z_TYPE(result) == IS_TRUE) begun.erase(connection);
    } else if (!begun.contains(connection) && is_manual(subject)) {
        begun.insert(connection);
    }
}

bool has_open_odbc_transaction(const void* connection) {
    return !begun.empty() && begun.contains(connection);
}

const void* any_odbc_transaction() {
    return begun.empty() ? nullptr : *begun.begin();
}

bool roll_back_odbc(zval& link) {
    zval answer;
    ask(rollback, link, answer);
    const bool succeeded = Z_TYPE(answer) == IS_TRUE;
    zval_ptr_dtor(&answer);
    return succeeded;
}

bool is_odbc_link_lost(zval& link) {
    zval answer;
    ask(error_state, link, answer);
    const bool lost = Z_TYPE(answer) == IS_STRING && is_odbc_state_of_loss(Z_STRVAL(answer));
    zval_ptr_dtor(&answer);
    return lost;
}

void forget_odbc_transaction(const void* connection) {
    begun.erase(connection);
}

}  // namespace sluice::php
