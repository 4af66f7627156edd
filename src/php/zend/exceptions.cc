#include "php/zend/exceptions.h"

#include "core/log.h"

namespace sluice::php {

namespace {

/// The class whose properties are read: a subclass may have private ones of these names.
zend_class_entry* base_of(const zend_object* exception) {
    return instanceof_function(exception->ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error;
}

void append_property(smart_str& text, zend_object* exception, const char* name, size_t name_size) {
    zval room;
    zval* value = zend_read_property(base_of(exception), exception, name, name_size, true, &room);
    ZVAL_DEREF(value);
    // Only without conversion: an object's would run the application's code.
    if (Z_TYPE_P(value) == IS_STRING) smart_str_append(&text, Z_STR_P(value));
    if (Z_TYPE_P(value) == IS_LONG) smart_str_append_long(&text, Z_LVAL_P(value));
}

void append_trace(smart_str& text, zend_object* exception) {
    zval trace;
    zend_call_method_with_0_params(exception, exception->ce, nullptr, "gettraceasstring", &trace);
    if (EG(exception)) zend_clear_exception();
    if (Z_TYPE(trace) == IS_STRING) {
        smart_str_appendc(&text, '\n');
        smart_str_append(&text, Z_STR(trace));
    }
    zval_ptr_dtor(&trace);
}

void append_exception(smart_str& text, zend_object* exception) {
    zend_object* shown = exception;
    for (int count = 0; shown && count < kMostPreviousExceptions; ++count) {
        if (shown != exception) smart_str_appends(&text, "\ncaused by ");
        smart_str_append(&text, shown->ce->name);
        smart_str_appends(&text, ": ");
        append_property(text, shown, ZEND_STRL("message"));
        smart_str_appends(&text, " in ");
        append_property(text, shown, ZEND_STRL("file"));
        smart_str_appendc(&text, ':');
        append_property(text, shown, ZEND_STRL("line"));
        append_trace(text, shown);
        shown = previous_of(shown);
    }
}

}  // namespace

zend_object* previous_of(zend_object* exception) {
    zval room;
    zval* previous = zend_read_property(base_of(exception), exception, ZEND_STRL("previous"), true, &room);
    ZVAL_DEREF(previous);
    return Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : nullptr;
}

zend_object* take_exception() {
    zend_object* exception = EG(exception);
    GC_ADDREF(exception);
    zend_clear_exception();
    return exception;
}

void put_back_exception(zend_object* exception) {
    if (EG(exception) && is_exit(EG(exception))) {
        OBJ_RELEASE(exception);
        return;
    }
    if (EG(exception)) zend_clear_exception();
    zend_throw_exception_internal(exception);
}

void (*when_exception_is_logged)(zend_object* exception) = nullptr;

zend_string* describe_exception() {
    if (is_exit(EG(exception))) return nullptr;
    zend_object* const exception = take_exception();
    smart_str text = {};
    append_exception(text, exception);
    smart_str_0(&text);
    put_back_exception(exception);
    return text.s;
}

bool log_exception(const char* where, Telling telling) {
    zend_object* exception = EG(exception);
    if (is_exit(exception)) return false;
    GC_ADDREF(exception);
    zend_clear_exception();

    smart_str text = {};
    smart_str_appends(&text, "In ");
    smart_str_appends(&text, where);
    smart_str_appends(&text, ": ");
    append_exception(text, exception);
    smart_str_0(&text);
    SLUICE_ERROR("%s", ZSTR_VAL(text.s));
    smart_str_free(&text);
    if (telling == Telling::kObserver && when_exception_is_logged) when_exception_is_logged(exception);
    OBJ_RELEASE(exception);
    if (!EG(exception)) return true;
    if (is_exit(EG(exception))) return false;
    zend_clear_exception();  // of a destructor, or an observer's cancellation
    return true;
}

}  // namespace sluice::php
