#include "php/tasks/outcome_class.h"

namespace sluice::php {

namespace {

zend_class_entry* outcome_class;

/// In the order of the declaration.
enum Place { kValue, kError };

}  // namespace

void init_outcome_class(zend_class_entry* class_entry) {
    outcome_class = class_entry;
}

zval outcome_of(const TaskObject* task) {
    zval outcome;
    object_init_ex(&outcome, outcome_class);
    zval* value = OBJ_PROP_NUM(Z_OBJ(outcome), kValue);
    zval* error = OBJ_PROP_NUM(Z_OBJ(outcome), kError);
    ZVAL_NULL(value);
    ZVAL_NULL(error);
    if (task->exception) {
        ZVAL_OBJ_COPY(error, task->exception);
    } else if (Z_TYPE(task->result) != IS_UNDEF) {
        ZVAL_COPY_DEREF(value, const_cast<zval*>(&task->result));
    }
    Z_PROP_FLAG_P(value) = Z_PROP_FLAG_P(error) = 0;
    return outcome;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_Outcome, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Coroutine_Outcome, succeeded) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(Z_TYPE_P(OBJ_PROP_NUM(Z_OBJ_P(ZEND_THIS), kError)) != IS_OBJECT);
}

ZEND_METHOD(Sluice_Coroutine_Outcome, get) {
    ZEND_PARSE_PARAMETERS_NONE();
    zval* error = OBJ_PROP_NUM(Z_OBJ_P(ZEND_THIS), kError);
    if (Z_TYPE_P(error) == IS_OBJECT) {
        Z_ADDREF_P(error);
        zend_throw_exception_internal(Z_OBJ_P(error));
        RETURN_THROWS();
    }
    RETURN_COPY(OBJ_PROP_NUM(Z_OBJ_P(ZEND_THIS), kValue));
}
