#include "php/coroutine/engine_state.h"

#include <Zend/zend_extensions.h>
#include <Zend/zend_fibers.h>
#include <Zend/zend_observer.h>
#include <ext/json/php_json.h>
#include <ext/pcre/php_pcre.h>
#include <ext/standard/basic_functions.h>
#include <ext/standard/file.h>

#include "php/zend/php_versions.h"

namespace sluice::php {

namespace {

/// What calls of PHP's own keep there while they call back: each Fiber's, those of the application's own,
/// too.
SetAside calls;
/// What the script may ask for later: each coroutine's, together with all of its Fibers.
SetAside results;

int place_of_calls = -1;
/// Of what ran before there were coroutines.
char calls_outside[SetAside::kMostBytes];
char results_outside[SetAside::kMostBytes];
/// Where the coroutines are resumed from, at rest while there are some.
const zend_fiber_context* loop_context = nullptr;

template <typename T>
void add(SetAside& set, T& field, SetAside::Rest rest = SetAside::Rest::kZeroes) {
    const bool has_room = set.add(&field, sizeof field, rest);
    ZEND_ASSERT(has_room);
    (void)has_room;
}

void learn_calls() {
    // usort(), array_udiff() and others like them
    add(calls, BG(user_compare_fci));
    add(calls, BG(user_compare_fci_cache), SetAside::Rest::kWithTheOneBefore);
    // serialize() and unserialize(), which share what objects they have met with those within them
    add(calls, BG(serialize_lock));
    add(calls, BG(serialize));
    add(calls, BG(unserialize));
    // json_encode() within jsonSerialize()
    add(calls, JSON_G(encoder_depth));
    // Constructors that have warnings thrown
    add(calls, EG(error_handling));
    add(calls, EG(exception_class), SetAside::Rest::kWithTheOneBefore);
    // Class loading while an exception is on its way
    add(calls, EG(prev_exception));
    // Linking of classes: what was recorded is told to error handlers after the recording has ended
    add(calls, EG(record_errors));
    add(calls, EG(errors));
    add(calls, EG(num_errors), SetAside::Rest::kWithTheOneBefore);
    // Constant expressions, for the place of an exception in them
    add(calls, EG(filename_override));
    add(calls, EG(lineno_override), SetAside::Rest::kOnes);
    // Stream wrappers in PHP code
    add(calls, FG(user_stream_current_filename));
    add(calls, PG(in_user_include));
    // pclose()
    add(calls, FG(pclose_wait));
}

void learn_results() {
    // error_get_last()
    add(results, PG(last_error_message));
    add(results, PG(last_error_type), SetAside::Rest::kWithTheOneBefore);
    add(results, PG(last_error_file), SetAside::Rest::kWithTheOneBefore);
    add(results, PG(last_error_lineno), SetAside::Rest::kWithTheOneBefore);
    // strtok()
    add(results, BG(strtok_string));
    add(results, BG(strtok_last), SetAside::Rest::kWithTheOneBefore);
    add(results, BG(strtok_len), SetAside::Rest::kWithTheOneBefore);
    add(results, JSON_G(error_code));
    add(results, PCRE_G(error_code));
    // What stream wrappers have to say of a failure, until it is said
    add(results, FG(wrapper_errors));
    if (zval* headers = last_http_headers()) add(results, *headers);
}

void switch_calls(zend_fiber_context* from, zend_fiber_context* to) {
    if (from != loop_context && UNEXPECTED(!calls.at_rest())) {
        void* const kept = emalloc(calls.bytes());
        calls.take(kept);
        if (from->status == ZEND_FIBER_STATUS_DEAD) {
            efree(kept);
        } else {
            from->reserved[place_of_calls] = kept;
        }
    }
    if (void* const kept = to->reserved[place_of_calls]; UNEXPECTED(kept)) {
        calls.put_back(kept);
        to->reserved[place_of_calls] = nullptr;
        efree(kept);
    }
}

void release(zend_string*& text) {
    if (text) zend_string_release(text);
    text = nullptr;
}

}  // namespace

void begin_engine_state() {
    if (place_of_calls < 0) {
        place_of_calls = zend_get_resource_handle("sluice calls");
        learn_calls();
        learn_results();
        zend_observer_fiber_switch_register(switch_calls);
    }
    calls.take(calls_outside);
    results.take(results_outside);
    loop_context = EG(current_fiber_context);
}

void end_engine_state() {
    loop_context = nullptr;
    drop_engine_state();
    results.put_back(results_outside);
    calls.put_back(calls_outside);
}

void drop_engine_state() {
    if (EXPECTED(results.at_rest())) return;
    release(PG(last_error_message));
    release(PG(last_error_file));
    release(BG(strtok_string));
    if (FG(wrapper_errors)) {
        zend_hash_destroy(FG(wrapper_errors));
        FREE_HASHTABLE(FG(wrapper_errors));
    }
    if (zval* headers = last_http_headers()) zval_ptr_dtor(headers);
    char dropped[SetAside::kMostBytes];
    results.take(dropped);
}

void EngineAside::take() {
    has_error_handlers_ = !error_handlers_are_at_rest();
    if (UNEXPECTED(has_error_handlers_)) set_error_handlers_aside(error_handlers_);
    has_fields_ = !results.at_rest();
    if (UNEXPECTED(has_fields_)) results.take(fields_);
    has_output_ = OG(active);
    if (UNEXPECTED(has_output_)) {
        output_ = output_globals;
        zend_stack_init(&OG(handlers), sizeof(php_output_handler*));
        OG(active) = OG(running) = nullptr;
    }
}

void EngineAside::put_back() {
    if (UNEXPECTED(has_error_handlers_ || !error_handlers_are_at_rest()))
        put_error_handlers_back(has_error_handlers_ ? &error_handlers_ : nullptr);
    if (UNEXPECTED(has_fields_)) results.put_back(fields_);
    if (UNEXPECTED(has_output_)) {
        zend_stack_destroy(&OG(handlers));
        output_globals = output_;
    }
}

}  // namespace sluice::php
