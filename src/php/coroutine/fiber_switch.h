#pragma once

#include "php/coroutine/coroutine.h"

// Does what Fiber's methods do to their objects, without calling a method. It follows
// Zend/zend_fibers.c field by field, whose functions are not exported; the engine's own part of a
// switch is exported.
//
// Inline in a header: after a switch the processor's return predictor holds another stack's returns, and
// mispredicts each. Inlining saves two returns per switch.

namespace sluice::php {

/// Switches to `context`, where `thrown` is thrown; afterwards `transfer` says which context has switched
/// back, and how.
inline void switch_to(zend_fiber_context* context, zend_fiber_transfer& transfer,
                      zend_object* thrown = nullptr) {
    transfer.context = context;
    transfer.flags = thrown ? ZEND_FIBER_TRANSFER_FLAG_ERROR : 0;
    ZVAL_NULL(&transfer.value);
    if (thrown) ZVAL_OBJ(&transfer.value, thrown);
    zend_fiber_switch_context(&transfer);
    if (UNEXPECTED(transfer.flags & ZEND_FIBER_TRANSFER_FLAG_BAILOUT)) {
        EG(active_fiber) = nullptr;
        zend_bailout();
    }
}

/// False, with the exception set, when the transfer carries one.
inline bool receive(zend_fiber_transfer& transfer) {
    if (transfer.flags & ZEND_FIBER_TRANSFER_FLAG_ERROR) {
        zend_throw_exception_internal(Z_OBJ(transfer.value));
        return false;
    }
    zval_ptr_dtor(&transfer.value);
    return true;
}

/// Resumes a suspended fiber up to its next suspension. An exception that has left the fiber is set
/// afterwards. `thrown`: a reference to an exception that comes out of its suspension.
[[gnu::always_inline]] inline void resume_fiber(zend_fiber* fiber, zend_object* thrown = nullptr) {
    zend_fiber* const previous = EG(active_fiber);
    if (previous) previous->execute_data = EG(current_execute_data);
    fiber->stack_bottom->prev_execute_data = EG(current_execute_data);
    fiber->caller = EG(current_fiber_context);
    EG(active_fiber) = fiber;
    zend_fiber_transfer transfer;
    switch_to(fiber->previous, transfer, thrown);
    EG(active_fiber) = previous;
    receive(transfer);
}

/// Suspends a fiber, together with the application's own Fibers that run in it: they go on when it is
/// resumed. False when it was resumed by an exception, which is set then.
[[gnu::always_inline]] inline bool suspend_fiber(zend_fiber* fiber) {
    // The innermost running Fiber keeps its caller: to PHP it is not suspended, and cannot be resumed.
    zend_fiber* const running = EG(active_fiber);
    zend_fiber_context* const caller = fiber->caller;
    fiber->stack_bottom->prev_execute_data = nullptr;
    fiber->previous = EG(current_fiber_context);
    fiber->caller = nullptr;
    running->execute_data = EG(current_execute_data);
    zend_fiber_transfer transfer;
    switch_to(caller, transfer);
    EG(active_fiber) = running;
    return receive(transfer);
}

}  // namespace sluice::php
