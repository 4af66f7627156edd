#include "php/hooks/persistent_connections.h"

#include "core/log.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/no_waiting.h"
#include "php/zend/said_once.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

/// PDO::ATTR_PERSISTENT
constexpr zend_ulong kPdoPersistent = 12;
/// PGSQL_CONNECT_FORCE_NEW
constexpr zend_long kPgsqlForceNew = 2;

zend_function* pg_connect = nullptr;
zif_handler odbc_connect = nullptr;

bool is_in_coroutine() {
    return scheduler() && enclosing_coroutine();
}

zval* argument(zend_execute_data* execute_data, uint32_t number) {
    if (ZEND_NUM_ARGS() < number) return nullptr;
    zval* value = ZEND_CALL_ARG(execute_data, number);
    ZVAL_DEREF(value);
    return value;
}

void say_alone(const char* what) {
    if (is_first_here("a persistent connection"))
        SLUICE_WARNING(
            "%s at %s:%u asks for a persistent connection, which coroutines would share together with its "
            "transactions; it gets one of its own: a Sluice\\Pool keeps connections",
            what, zend_get_executed_filename(), zend_get_executed_lineno());
}

/// As PDO understands it: a text that is no number names the connection.
bool asks_for_persistence(const zval* wish) {
    if (!wish) return false;
    ZVAL_DEREF(wish);
    return Z_TYPE_P(wish) == IS_STRING &&
                   !is_numeric_string(Z_STRVAL_P(wish), Z_STRLEN_P(wish), nullptr, nullptr, false)
               ? Z_STRLEN_P(wish) > 0
               : zval_get_long(const_cast<zval*>(wish)) != 0;
}

void connect_pdo(INTERNAL_FUNCTION_PARAMETERS) {
    zval* const options = is_in_coroutine() ? argument(execute_data, 4) : nullptr;
    if (options && Z_TYPE_P(options) == IS_ARRAY &&
        asks_for_persistence(zend_hash_index_find(Z_ARRVAL_P(options), kPdoPersistent))) {
        say_alone("PDO");
        SEPARATE_ARRAY(options);
        zend_hash_index_del(Z_ARRVAL_P(options), kPdoPersistent);
    }
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void connect_memcached(INTERNAL_FUNCTION_PARAMETERS) {
    zval* const name = is_in_coroutine() ? argument(execute_data, 1) : nullptr;
    if (name && Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) > 0) {
        say_alone("Memcached");
        zval_ptr_dtor(name);
        ZVAL_NULL(name);
    }
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// The name of a socket that the process keeps: two requests would send their parts in turns.
void open_zmq_socket(INTERNAL_FUNCTION_PARAMETERS, uint32_t number) {
    zval* const name = is_in_coroutine() ? argument(execute_data, number) : nullptr;
    if (name && Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) > 0) {
        say_alone("ZMQSocket");
        zval_ptr_dtor(name);
        ZVAL_NULL(name);
    }
    call_without_waiting(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void construct_zmq_socket(INTERNAL_FUNCTION_PARAMETERS) {
    open_zmq_socket(INTERNAL_FUNCTION_PARAM_PASSTHRU, 3);
}

void get_zmq_socket(INTERNAL_FUNCTION_PARAMETERS) {
    open_zmq_socket(INTERNAL_FUNCTION_PARAM_PASSTHRU, 2);
}

void connect_pgsql(INTERNAL_FUNCTION_PARAMETERS) {
    const zval* const text = is_in_coroutine() && pg_connect ? argument(execute_data, 1) : nullptr;
    const zval* const flags = text ? argument(execute_data, 2) : nullptr;
    if (!text || Z_TYPE_P(text) != IS_STRING || ZEND_NUM_ARGS() > 2 ||
        (flags && Z_TYPE_P(flags) != IS_LONG)) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    say_alone("pg_pconnect()");
    zval arguments[2];
    ZVAL_COPY_VALUE(&arguments[0], text);
    ZVAL_LONG(&arguments[1], (flags ? Z_LVAL_P(flags) : 0) | kPgsqlForceNew);
    zend_call_known_function(pg_connect, nullptr, nullptr, return_value, 2, arguments, nullptr);
}

/// With the same arguments.
void connect_odbc(INTERNAL_FUNCTION_PARAMETERS) {
    if (!odbc_connect || !is_in_coroutine()) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    say_alone("odbc_pconnect()");
    odbc_connect(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

zend_function* find_function(const char* name) {
    return static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), name, strlen(name)));
}

/// Of the class and its internal subclasses, which have copies of its methods.
template <typename F>
void for_each_method(const char* class_name, const char* method, F&& f) {
    zend_class_entry* const class_entry = find_internal_class(class_name);
    if (!class_entry) return;
    void* candidate;
    ZEND_HASH_FOREACH_PTR(CG(class_table), candidate) {
        auto* const extending = static_cast<zend_class_entry*>(candidate);
        if (extending->type != ZEND_INTERNAL_CLASS || !instanceof_function(extending, class_entry)) continue;
        if (void* const function = zend_hash_str_find_ptr(&extending->function_table, method, strlen(method)))
            f(static_cast<zend_function*>(function));
    }
    ZEND_HASH_FOREACH_END();
}

template <typename F>
void for_each_connecting(F&& f) {
    for (const char* method : {"__construct", "connect"})
        for_each_method("pdo", method, [&](zend_function* function) { f(function, connect_pdo); });
    for_each_method("memcached", "__construct",
                    [&](zend_function* function) { f(function, connect_memcached); });
    for_each_method("zmqsocket", "__construct",
                    [&](zend_function* function) { f(function, construct_zmq_socket); });
    for_each_method("zmqcontext", "getsocket", [&](zend_function* function) { f(function, get_zmq_socket); });
    if (zend_function* const function = find_function("pg_pconnect")) f(function, connect_pgsql);
    if (zend_function* const function = find_function("odbc_pconnect")) f(function, connect_odbc);
}

}  // namespace

void refuse_persistence() {
    pg_connect = find_function("pg_connect");
    const zend_function* const connect = find_function("odbc_connect");
    odbc_connect = connect ? connect->internal_function.handler : nullptr;
    for_each_connecting(wrap_function);
}

void release_persistence() {
    for_each_connecting(unwrap_function);
}

}  // namespace sluice::php
