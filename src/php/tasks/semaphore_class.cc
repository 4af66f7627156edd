#include "php/tasks/semaphore_class.h"

#include <ext/spl/spl_exceptions.h>

#include "php/tasks/turns.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

constexpr zend_long kMostPermits = 1'000'000;

struct SemaphoreObject {
    zend_long permits;
    zend_long free;
    WaitQueue waiters;  ///< only while no permit is free
    zend_object object;
};

zend_object_handlers handlers;

zend_object* create_semaphore(zend_class_entry* class_entry) {
    return &new_embedded<SemaphoreObject>(class_entry, handlers)->object;
}

/// Hands a permit to the longest waiting coroutine: no other can take it in between.
void give_back(SemaphoreObject* semaphore) {
    if (!semaphore->waiters.serve_first()) ++semaphore->free;
}

bool acquire(SemaphoreObject* semaphore, const Timeout& timeout) {
    if (semaphore->free > 0) {
        --semaphore->free;
        return true;
    }
    return wait_for_turn(semaphore->waiters, timeout, "No permit has become free",
                         [semaphore] { give_back(semaphore); });
}

}  // namespace

void init_semaphore_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_semaphore;
    init_handlers<SemaphoreObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_Semaphore, __construct) {
    zend_long permits;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(permits)
    ZEND_PARSE_PARAMETERS_END();
    if (permits < 1 || permits > kMostPermits) {
        zend_argument_value_error(1,
                                  "must be between 1 and " ZEND_LONG_FMT " permits, " ZEND_LONG_FMT " given",
                                  kMostPermits, permits);
        RETURN_THROWS();
    }
    SemaphoreObject* self = embedded<SemaphoreObject>(ZEND_THIS);
    if (self->permits > 0) {
        zend_throw_error(nullptr, "The semaphore is constructed already");
        RETURN_THROWS();
    }
    self->permits = self->free = permits;
}

ZEND_METHOD(Sluice_Coroutine_Semaphore, acquire) {
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (timeout.check(1)) acquire(embedded<SemaphoreObject>(ZEND_THIS), timeout);
}

ZEND_METHOD(Sluice_Coroutine_Semaphore, tryAcquire) {
    ZEND_PARSE_PARAMETERS_NONE();
    SemaphoreObject* self = embedded<SemaphoreObject>(ZEND_THIS);
    if (self->free == 0) RETURN_FALSE;
    --self->free;
    RETURN_TRUE;
}

ZEND_METHOD(Sluice_Coroutine_Semaphore, release) {
    ZEND_PARSE_PARAMETERS_NONE();
    SemaphoreObject* self = embedded<SemaphoreObject>(ZEND_THIS);
    if (self->free == self->permits) {
        zend_throw_exception_ex(spl_ce_LogicException, 0,
                                "All " ZEND_LONG_FMT
                                " permits are free already: release() once for each acquire()",
                                self->permits);
        RETURN_THROWS();
    }
    give_back(self);
}

ZEND_METHOD(Sluice_Coroutine_Semaphore, free) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(embedded<SemaphoreObject>(ZEND_THIS)->free);
}

ZEND_METHOD(Sluice_Coroutine_Semaphore, use) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    SemaphoreObject* self = embedded<SemaphoreObject>(ZEND_THIS);
    if (!timeout.check(2) || !acquire(self, timeout)) RETURN_THROWS();
    info.retval = return_value;
    zend_call_function(&info, nullptr);
    // The function may have released it by mistake.
    if (self->free < self->permits) give_back(self);
}
