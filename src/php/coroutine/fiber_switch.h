#pragma once

#include "php/coroutine/coroutine.h"

// What Fiber's own methods do to their objects, done to them without calling a method. It follows
// Zend/zend_fibers.c, whose functions are not exported, field by field; the engine's part of a switch is
// exported.
//
// Here and not in a source file: after a switch the processor has another stack's returns in mind, and
// mistakes each one. Inlined, there are two fewer of them for each way.

namespace sluice::php {

/// Switches; afterwards `transfer` says who has come back, and how.
inline void switch_to(zend_fiber_context* context, zend_fiber_transfer& transfer) {
    transfer.context = context;
    transfer.flags = 0;
    ZVAL_NULL(&transfer.value);
    zend_fiber_switch_context(&transfer);
    if (UNEXPECTED(transfer.flags & ZEND_FIBER_TRANSFER_FLAG_BAILOUT)) {
        EG(active_fiber) = nullptr;
        zend_bailout();
    }
}

/// False when an exception has come, which is set then.
inline bool receive(zend_fiber_transfer& transfer) {
    if (transfer.flags & ZEND_FIBER_TRANSFER_FLAG_ERROR) {
        zend_throw_exception_internal(Z_OBJ(transfer.value));
        return false;
    }
    zval_ptr_dtor(&transfer.value);
    return true;
}

/// Goes on with a suspended one, up to its next suspension. An exception that has come out of it is set
/// afterwards.
[[gnu::always_inline]] inline void resume_fiber(zend_fiber* fiber) {
    zend_fiber* const previous = EG(active_fiber);
    if (previous) previous->execute_data = EG(current_execute_data);
    fiber->stack_bottom->prev_execute_data = EG(current_execute_data);
    fiber->caller = EG(current_fiber_context);
    EG(active_fiber) = fiber;
    zend_fiber_transfer transfer;
    switch_to(fiber->previous, transfer);
    EG(active_fiber) = previous;
    receive(transfer);
}

/// Suspends one, together with the Fibers of the application's own that it has resumed and that run: they go
/// on where they are when it is resumed. False when it was resumed by an exception, which is set then.
[[gnu::always_inline]] inline bool suspend_fiber(zend_fiber* fiber) {
    // The innermost of those that run keeps its caller: to PHP it is not suspended, and nobody may resume it.
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
