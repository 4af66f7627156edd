#include "php/worker/misplaced_output.h"

#include <SAPI.h>

#include "core/log.h"
#include "php/coroutine/coroutine.h"
#include "php/coroutine/isolation.h"
#include "php/coroutine/refused_calls.h"
#include "php/worker/worker.h"
#include "php/zend/said_once.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

struct Lost {
    const char* function;
    const char* name;  ///< in a sentence
    const char* instead;
    bool asks = false;  ///< about a request, of which it finds nothing; otherwise it is not called
};

constexpr Lost kLost[] = {
    {"header", "header()", "$response->header(), or status() for a status"},
    {"header_remove", "header_remove()", "$response->header()"},
    {"http_response_code", "http_response_code()", "$response->status()"},
    {"setcookie", "setcookie()", "$response->cookie()"},
    {"header_register_callback", "header_register_callback()", "$response->header()"},
    {"setrawcookie", "setrawcookie()", "$response->cookie()"},
    {"filter_has_var", "filter_has_var()", "$request->query(), form() or cookie()", true},
    {"filter_input", "filter_input()", "filter_var() with $request->query(), form() or cookie()", true},
    {"filter_input_array", "filter_input_array()",
     "filter_var_array() with $request->queryAll() or formAll()", true},
    {"is_uploaded_file", "is_uploaded_file()", "$request->files()", true},
    {"move_uploaded_file", "move_uploaded_file()", "moveTo() of a file of $request->files()", true},
};

decltype(sapi_module.ub_write) write_output = nullptr;
decltype(sapi_module.read_post) read_input = nullptr;

bool is_in_handler() {
    if (!current_worker() || current_worker()->handlers == 0 || request_globals()) return false;
    const Coroutine* const self = enclosing_coroutine();
    return self ? self->occasion != nullptr : true;
}

void say_lost(const char* what, const char* effect, const char* instead) {
    if (is_first_here(what))
        SLUICE_WARNING("%s in a handler, at %s:%u, %s: use %s", what, zend_get_executed_filename(),
                       zend_get_executed_lineno(), effect, instead);
}

/// filter_input(INPUT_ENV, …) and filter_input(INPUT_SERVER, …) ask about the process.
bool asks_about_process(const zend_execute_data* call) {
    constexpr zend_long kInputCookie = 2;
    if (ZEND_CALL_NUM_ARGS(call) == 0) return false;
    const zval* const input = ZEND_CALL_ARG(call, 1);
    return Z_TYPE_P(input) == IS_LONG && Z_LVAL_P(input) > kInputCookie;
}

void lose_call(INTERNAL_FUNCTION_PARAMETERS) {
    if (!is_in_handler()) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    const zend_string* const name = execute_data->func->common.function_name;
    for (const Lost& lost : kLost) {
        if (!zend_string_equals_cstr(name, lost.function, strlen(lost.function))) continue;
        if (lost.asks) {
            if (!asks_about_process(execute_data))
                say_lost(lost.name, "finds nothing, for it knows of no request", lost.instead);
            original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
            return;
        }
        say_lost(lost.name, "does nothing, for it belongs to no response", lost.instead);
    }
    // header() returns nothing, all others whether it was done.
    if (zend_string_equals_literal(name, "header") || zend_string_equals_literal(name, "header_remove"))
        return;
    RETURN_FALSE;
}

size_t write_and_say(const char* text, size_t size) {
    if (RequestGlobals* const globals = request_globals()) return globals->write(text, size);
    if (is_in_handler())
        say_lost("Output", "goes to the server's own output and not to the client",
                 "$response->text(), html() or write(), and for a connection send()");
    return write_output(text, size);
}

size_t read_and_say(char* buffer, size_t size) {
    if (is_in_handler())
        say_lost("php://input", "is empty, for it belongs to no request", "$request->body() or bodyStream()");
    return read_input ? read_input(buffer, size) : 0;
}

template <typename F>
void for_each_lost(F&& f) {
    for (const Lost& lost : kLost)
        if (void* function = zend_hash_str_find_ptr(CG(function_table), lost.function, strlen(lost.function)))
            f(static_cast<zend_function*>(function));
}

}  // namespace

void guard_misplaced_output() {
    for_each_lost([](zend_function* function) { wrap_function(function, lose_call); });
    refuse_sessions_of_handlers(is_in_handler);
}

void release_misplaced_output() {
    for_each_lost([](zend_function* function) { unwrap_function(function, lose_call); });
    if (!write_output) return;
    sapi_module.ub_write = write_output;
    if (sapi_module.read_post == read_and_say) sapi_module.read_post = read_input;
}

void watch_output() {
    if (write_output) return;
    write_output = sapi_module.ub_write;
    sapi_module.ub_write = write_and_say;
    read_input = sapi_module.read_post;
    sapi_module.read_post = read_and_say;
}

}  // namespace sluice::php
