#include "php/hooks/redis_watches.h"

#include <strings.h>
#include <unordered_set>

#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

zend_class_entry* classes[2];
std::unordered_set<const void*> watching;

bool is_redis(const zend_object* object) {
    for (const zend_class_entry* class_entry : classes)
        if (class_entry && instanceof_function(object->ce, class_entry)) return true;
    return false;
}

bool is_one_of(const zend_string* name, std::initializer_list<const char*> words) {
    for (const char* word : words)
        if (strcasecmp(ZSTR_VAL(name), word) == 0) return true;
    return false;
}

/// The command that a method sends.
const zend_string* command_of(const zend_execute_data* call) {
    const zend_string* const name = call->func->common.function_name;
    if (!is_one_of(name, {"rawcommand"}) || ZEND_CALL_NUM_ARGS(call) == 0) return name;
    const zval* const first = ZEND_CALL_ARG(call, 1);
    return Z_TYPE_P(first) == IS_STRING ? Z_STR_P(first) : name;
}

}  // namespace

void learn_redis_classes() {
    classes[0] = find_internal_class("redis");
    classes[1] = find_internal_class("rediscluster");
}

void note_redis_watch(const zend_object* connection, const zend_execute_data* call) {
    if (!is_redis(connection)) return;
    const zend_string* const command = command_of(call);
    if (is_one_of(command, {"watch"})) {
        watching.insert(connection);
    } else if (!watching.empty() && is_one_of(command, {"unwatch", "exec", "discard"})) {
        watching.erase(connection);
    }
}

bool has_redis_watch(const zend_object* connection) {
    return !watching.empty() && watching.contains(connection);
}

bool end_redis_watch(zend_object* connection) {
    if (!has_redis_watch(connection)) return false;
    watching.erase(connection);
    auto* const unwatch = static_cast<zend_function*>(
        zend_hash_str_find_ptr(&connection->ce->function_table, ZEND_STRL("unwatch")));
    zval answer;
    ZVAL_UNDEF(&answer);
    zend_call_known_function(unwatch, connection, connection->ce, &answer, 0, nullptr, nullptr);
    zval_ptr_dtor(&answer);
    return true;
}

void forget_redis_watch(const void* connection) {
    watching.erase(connection);
}

}  // namespace sluice::php
