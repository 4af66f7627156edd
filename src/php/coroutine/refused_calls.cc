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

/// Of all pages that are being made, and PHP's output buffer for it outlives a switch.
void refuse_rewriting(INTERNAL_FUNCTION_PARAMETERS) {
    if (!scheduler() || !enclosing_coroutine()) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zend_throw_error(
        nullptr,
        "output_add_rewrite_var() rewrites the pages of all requests of a process, and cannot be "
        "called in a coroutine: write the variable into the page's links and forms, or give the site "
        "or route Sluice\\Http\\Options::$processes");
}

/// It ends by a bailout, as a fatal error does, where PHP takes it for a page's request.
void refuse_web_phar(INTERNAL_FUNCTION_PARAMETERS) {
    if (!SG(request_info).request_method) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zend_throw_error(
        nullptr,
        "Phar::webPhar() ends the whole process with its page, and cannot be called in a handler: include "
        "the file of the archive that answers (phar://...)");
}

template <typename F>
void for_each_web_phar(F&& f) {
    for (const char* name : {"phar", "phardata"}) {
        zend_class_entry* const class_entry = find_internal_class(name);
        void* const function =
            class_entry ? zend_hash_str_find_ptr(&class_entry->function_table, ZEND_STRL("webphar"))
                        : nullptr;
        if (function) f(static_cast<zend_function*>(function), refuse_web_phar);
    }
}

zend_function* output_add_rewrite_var() {
    return static_cast<zend_function*>(
        zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("output_add_rewrite_var")));
}

zend_function* session_start() {
    return static_cast<zend_function*>(
        zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("session_start")));
}

}  // namespace

void refuse_calls_in_coroutines() {
    if (zend_function* function = session_start()) wrap_function(function, refuse_session);
    if (zend_function* function = output_add_rewrite_var()) wrap_function(function, refuse_rewriting);
    for_each_web_phar(wrap_function);
}

void allow_sessions(bool (*allowed)()) {
    allows = allowed;
}

void refuse_sessions_of_handlers(bool (*handling)()) {
    is_handling = handling;
}

void release_refused_calls() {
    if (zend_function* function = session_start()) unwrap_function(function, refuse_session);
    if (zend_function* function = output_add_rewrite_var()) unwrap_function(function, refuse_rewriting);
    for_each_web_phar(unwrap_function);
}

}  // namespace sluice::php
