#include "php/coroutine/refused_calls.h"

#include "php/coroutine/coroutine_scheduler.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

bool (*allows)() = nullptr;
bool (*is_handling)() = nullptr;

bool mixes_requests() {
    if (scheduler() && enclosing_coroutine()) return true;
    return is_handling && is_handling();
}

/// PHP has one session per process: its id, its data in $_SESSION, its lock.
void refuse_session(INTERNAL_FUNCTION_PARAMETERS) {
    if ((allows && allows()) || !mixes_requests()) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zend_throw_error(
        nullptr,
        "session_start() gives all requests of a process one session, and cannot be called in a "
        "handler or a coroutine: keep what belongs to a client in a store such as Redis, under an id that "
        "$request->cookie() and $response->cookie() carry");
}

zend_function* session_start() {
    return static_cast<zend_function*>(
        zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("session_start")));
}

}  // namespace

void refuse_calls_in_coroutines() {
    if (zend_function* function = session_start()) wrap_function(function, refuse_session);
}

void allow_sessions(bool (*allowed)()) {
    allows = allowed;
}

void refuse_sessions_of_handlers(bool (*handling)()) {
    is_handling = handling;
}

void release_refused_calls() {
    if (zend_function* function = session_start()) unwrap_function(function, refuse_session);
}

}  // namespace sluice::php
