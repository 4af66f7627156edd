#include "php/coroutine/engine_state.h"

#include <Zend/zend_extensions.h>
#include <Zend/zend_fibers.h>
#include <Zend/zend_observer.h>

#include "php/coroutine/isolation.h"
#include "php/coroutine/soap_aside.h"

namespace sluice::php {

namespace {

int place_of_calls = -1;
/// The CallFields of the code outside of coroutines.
char calls_outside[Calls::bytes()];
SoapAside soap_outside;
char results_outside[Results::bytes()];
/// The context that resumes coroutines.
const zend_fiber_context* loop_context = nullptr;

/// Of a Fiber that waits.
struct KeptCalls {
    SoapAside soap;
    alignas(max_align_t) char fields[Calls::bytes()];
};

void take_calls(zend_fiber_context* from) {
    auto* const kept = static_cast<KeptCalls*>(emalloc(sizeof(KeptCalls)));
    Calls::take(kept->fields);
    kept->soap.take();
    if (from->status == ZEND_FIBER_STATUS_DEAD) {
        efree(kept);
    } else {
        from->reserved[place_of_calls] = kept;
    }
}

void put_calls_back(zend_fiber_context* to) {
    auto* const kept = static_cast<KeptCalls*>(to->reserved[place_of_calls]);
    to->reserved[place_of_calls] = nullptr;
    Calls::put_back(kept->fields);
    kept->soap.put_back();
    efree(kept);
}

void switch_calls(zend_fiber_context* from, zend_fiber_context* to) {
    if (from != loop_context && UNEXPECTED(!Calls::at_rest() || !SoapAside::at_rest())) take_calls(from);
    if (UNEXPECTED(to->reserved[place_of_calls])) put_calls_back(to);
    if (UNEXPECTED(isolation_in_use)) switch_isolation(to);
}

void release(zend_string*& text) {
    if (text) zend_string_release(text);
    text = nullptr;
}

}  // namespace

void begin_engine_state() {
    if (place_of_calls < 0) {
        place_of_calls = zend_get_resource_handle("sluice calls");
        zend_observer_fiber_switch_register(switch_calls);
    }
    soap_outside.take();
    Calls::take(calls_outside);
    Results::take(results_outside);
    begin_libxml_state();
    begin_session_variable();
    loop_context = EG(current_fiber_context);
}

void end_engine_state() {
    loop_context = nullptr;
    drop_engine_state();
    end_libxml_state();
    end_session_variable();
    Results::put_back(results_outside);
    Calls::put_back(calls_outside);
    soap_outside.put_back();
    return_outside();
}

void keep_engine_state() {
    keep_error_handlers();
    keep_libxml_state();
    keep_session_variable();
}

void forget_engine_state() {
    if (!LibxmlAside::at_rest()) drop_libxml_state();
    drop_session_variable(nullptr);
    release(PG(last_error_message));
    release(PG(last_error_file));
    release(BG(strtok_string));
    if (FG(wrapper_errors)) {
        zend_hash_destroy(FG(wrapper_errors));
        FREE_HASHTABLE(FG(wrapper_errors));
    }
    if (zval* headers = last_http_headers()) zval_ptr_dtor(headers);
    char dropped[Results::bytes()];
    Results::take(dropped);
}

void EngineAside::take() {
    has_error_handlers_ = !error_handlers_are_at_rest();
    if (UNEXPECTED(has_error_handlers_)) set_error_handlers_aside(error_handlers_);
    has_fields_ = !Results::at_rest();
    if (UNEXPECTED(has_fields_)) Results::take(fields_);
    has_output_ = OG(active);
    if (UNEXPECTED(has_output_)) {
        output_ = output_globals;
        zend_stack_init(&OG(handlers), sizeof(php_output_handler*));
        OG(active) = OG(running) = nullptr;
    }
    has_libxml_ = !LibxmlAside::at_rest();
    if (UNEXPECTED(has_libxml_)) libxml_.take();
    has_session_ = !SessionVariable::at_rest();
    if (UNEXPECTED(has_session_)) session_.take();
}

void EngineAside::put_back() {
    if (UNEXPECTED(has_error_handlers_ || !error_handlers_are_at_rest()))
        put_error_handlers_back(has_error_handlers_ ? &error_handlers_ : nullptr);
    if (UNEXPECTED(has_fields_)) Results::put_back(fields_);
    if (UNEXPECTED(has_output_)) {
        zend_stack_destroy(&OG(handlers));
        output_globals = output_;
    }
    if (UNEXPECTED(has_libxml_)) libxml_.put_back();
    if (UNEXPECTED(has_session_)) session_.put_back();
}

}  // namespace sluice::php
