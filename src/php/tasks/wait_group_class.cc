#include "php/tasks/wait_group_class.h"

#include <ext/spl/spl_exceptions.h>

#include "php/tasks/turns.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

constexpr zend_long kMostAtOnce = 1'000'000'000;

struct WaitGroupObject {
    zend_long count;
    WaitQueue waiters;
    zend_object object;
};

zend_object_handlers handlers;

zend_object* create_wait_group(zend_class_entry* class_entry) {
    return &new_embedded<WaitGroupObject>(class_entry, handlers)->object;
}

}  // namespace

void init_wait_group_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_wait_group;
    init_handlers<WaitGroupObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_WaitGroup, add) {
    zend_long count = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(count)
    ZEND_PARSE_PARAMETERS_END();
    WaitGroupObject* self = embedded<WaitGroupObject>(ZEND_THIS);
    if (count < 1 || count > kMostAtOnce - self->count) {
        zend_argument_value_error(
            1, "must be at least 1, and the sum at most " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
            kMostAtOnce, count);
        RETURN_THROWS();
    }
    self->count += count;
}

ZEND_METHOD(Sluice_Coroutine_WaitGroup, done) {
    ZEND_PARSE_PARAMETERS_NONE();
    WaitGroupObject* self = embedded<WaitGroupObject>(ZEND_THIS);
    if (self->count == 0) {
        zend_throw_exception(spl_ce_LogicException, "done() was called more often than add() has counted", 0);
        RETURN_THROWS();
    }
    if (--self->count > 0) return;
    // Serve all, even if more are added before they run.
    while (self->waiters.serve_first()) {
    }
}

ZEND_METHOD(Sluice_Coroutine_WaitGroup, wait) {
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (!timeout.check(1)) RETURN_THROWS();
    WaitGroupObject* self = embedded<WaitGroupObject>(ZEND_THIS);
    if (self->count == 0) return;
    wait_for_turn(self->waiters, timeout, "Not everything was done", [] {});
}

ZEND_METHOD(Sluice_Coroutine_WaitGroup, count) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(embedded<WaitGroupObject>(ZEND_THIS)->count);
}
