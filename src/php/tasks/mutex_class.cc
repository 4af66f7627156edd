#include "php/tasks/mutex_class.h"

#include <ext/spl/spl_exceptions.h>

#include "php/tasks/turns.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

/// The owner outside of all coroutines.
constexpr uint64_t kNobody = 0;
constexpr uint64_t kOutside = UINT64_MAX;

struct MutexObject {
    uint64_t owner;     ///< Coroutine::number
    WaitQueue waiters;  ///< only while it is locked
    zend_object object;
};

zend_object_handlers handlers;

zend_object* create_mutex(zend_class_entry* class_entry) {
    return &new_embedded<MutexObject>(class_entry, handlers)->object;
}

uint64_t who_runs() {
    const Coroutine* self = enclosing_coroutine();
    return self ? self->number : kOutside;
}

/// Hands the lock to the longest waiting coroutine: no other can take it in between.
void hand_on(MutexObject* mutex) {
    const Waiter* next = mutex->waiters.serve_first();
    mutex->owner = next ? next->coroutine->number : kNobody;
}

bool lock(MutexObject* mutex, const Timeout& timeout) {
    if (mutex->owner == kNobody) {
        mutex->owner = who_runs();
        return true;
    }
    if (mutex->owner == who_runs()) {
        zend_throw_exception(spl_ce_LogicException,
                             "This coroutine has locked the mutex already, and would wait for itself", 0);
        return false;
    }
    return wait_for_turn(mutex->waiters, timeout, "The mutex has not become free",
                         [mutex] { hand_on(mutex); });
}

}  // namespace

void init_mutex_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_mutex;
    init_handlers<MutexObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_Mutex, lock) {
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (timeout.check(1)) lock(embedded<MutexObject>(ZEND_THIS), timeout);
}

ZEND_METHOD(Sluice_Coroutine_Mutex, tryLock) {
    ZEND_PARSE_PARAMETERS_NONE();
    MutexObject* self = embedded<MutexObject>(ZEND_THIS);
    if (self->owner != kNobody) RETURN_FALSE;
    self->owner = who_runs();
    RETURN_TRUE;
}

ZEND_METHOD(Sluice_Coroutine_Mutex, unlock) {
    ZEND_PARSE_PARAMETERS_NONE();
    MutexObject* self = embedded<MutexObject>(ZEND_THIS);
    if (self->owner != who_runs()) {
        zend_throw_exception(
            spl_ce_LogicException,
            self->owner == kNobody
                ? "The mutex is not locked"
                : "Another coroutine has locked the mutex; only that coroutine may unlock it",
            0);
        RETURN_THROWS();
    }
    hand_on(self);
}

ZEND_METHOD(Sluice_Coroutine_Mutex, isLocked) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<MutexObject>(ZEND_THIS)->owner != kNobody);
}

ZEND_METHOD(Sluice_Coroutine_Mutex, use) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    MutexObject* self = embedded<MutexObject>(ZEND_THIS);
    if (!timeout.check(2) || !lock(self, timeout)) RETURN_THROWS();
    info.retval = return_value;
    zend_call_function(&info, nullptr);
    // The function may have unlocked it by mistake.
    if (self->owner == who_runs()) hand_on(self);
}
