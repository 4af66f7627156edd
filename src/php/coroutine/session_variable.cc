#include "php/coroutine/session_variable.h"

#include "core/log.h"
#include "php/coroutine/isolation.h"
#include "php/zend/said_once.h"

namespace sluice::php {

namespace {

zval outside;    ///< one reference; UNDEF: there is none
zval reference;  ///< that the variable is while the script's session is open, which has it, too; UNDEF: none
bool begun = false;

zend_string* name() {
    static zend_string* const name = zend_string_init_interned(ZEND_STRL("_SESSION"), true);
    return name;
}

zval* current() {
    return zend_hash_find_known_hash(&EG(symbol_table), name());
}

bool is_outside(zval* value) {
    if (!value || Z_TYPE(outside) == IS_UNDEF) return !value && Z_TYPE(outside) == IS_UNDEF;
    ZVAL_DEREF(value);
    if (!Z_REFCOUNTED(outside)) return zend_is_identical(value, &outside);
    // Whoever writes separates from the array that is held here.
    return Z_TYPE_P(value) == Z_TYPE(outside) && Z_COUNTED_P(value) == Z_COUNTED(outside);
}

/// Puts a value in place, whose reference is taken; UNDEF: removes the variable.
void put(zval* value) {
    if (Z_TYPE_P(value) == IS_UNDEF) {
        zend_hash_del(&EG(symbol_table), name());
    } else {
        zend_hash_update(&EG(symbol_table), name(), value);
    }
}

void put_outside() {
    zval copy;
    ZVAL_COPY(&copy, Z_ISREF(reference) ? &reference : &outside);
    put(&copy);
    if (!Z_ISREF(reference)) return;
    zval written;
    ZVAL_COPY_VALUE(&written, Z_REFVAL(reference));
    ZVAL_COPY(Z_REFVAL(reference), &outside);
    zval_ptr_dtor(&written);
}

}  // namespace

void begin_session_variable() {
    end_session_variable();
    if (zval* const value = current()) {
        ZVAL_COPY_DEREF(&outside, value);
        if (Z_ISREF_P(value)) ZVAL_COPY(&reference, value);
    } else {
        ZVAL_UNDEF(&outside);
    }
    begun = true;
    SessionVariable::look_anew();
}

void end_session_variable() {
    if (begun) {
        zval_ptr_dtor(&outside);
        zval_ptr_dtor(&reference);
    }
    ZVAL_UNDEF(&outside);
    ZVAL_UNDEF(&reference);
    begun = false;
    SessionVariable::look_anew();
}

bool SessionVariable::looks_outside() {
    if (!begun || request_globals() || !is_outside(current())) return !begun || request_globals();
    if (Z_TYPE(outside) == IS_UNDEF) {
        elements_ = EG(symbol_table).nNumOfElements;
        used_ = EG(symbol_table).nNumUsed;
    }
    return true;
}

void SessionVariable::take() {
    ZVAL_UNDEF(&value_);
    if (zval* const value = current()) ZVAL_COPY_DEREF(&value_, value);
    put_outside();
}

void SessionVariable::put_back() {
    put(&value_);
}

void keep_session_variable() {
    if (!request_globals()) begin_session_variable();
}

void forget_session_variable(const zend_function* handler) {
    put_outside();
    if (!is_first_of("$_SESSION", handler)) return;
    constexpr const char* kInstead =
        "use a store such as Redis, under an id in a cookie ($request->cookie(), $response->cookie())";
    if (handler && handler->type == ZEND_USER_FUNCTION) {
        SLUICE_WARNING(
            "$_SESSION was written in the handler at %s:%u, and is forgotten, for it belongs to no client: "
            "%s",
            ZSTR_VAL(handler->op_array.filename), handler->op_array.line_start, kInstead);
    } else {
        SLUICE_WARNING(
            "$_SESSION was written in a coroutine, and is forgotten, for it belongs to no client: %s",
            kInstead);
    }
}

}  // namespace sluice::php
