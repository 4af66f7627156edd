#include "php/coroutine/current_scope.h"

#include "php/coroutine/cancellation.h"
#include "php/coroutine/coroutine.h"

namespace sluice::php {

namespace {

CoroutineScope of_process;
unsigned calls_outside = 0;  ///< calls outside of coroutines that have begun and not ended

}  // namespace

CoroutineScope& current_scope() {
    Coroutine* coroutine = enclosing_coroutine();
    return coroutine ? coroutine->scope : of_process;
}

bool may_defer() {
    return calls_outside > 0 || enclosing_coroutine();
}

CoroutineScope begin_call(zend_array* context) {
    CoroutineScope& scope = current_scope();
    const CoroutineScope before = scope;
    if (&scope == &of_process) ++calls_outside;
    scope = {context ? context : of_process.context, nullptr};
    if (scope.context) GC_ADDREF(scope.context);
    return before;
}

void end_call(const CoroutineScope& before) {
    CoroutineScope& scope = current_scope();
    if (scope.deferred) run_deferred(scope);
    settle_end_of_overdue();
    clear_scope(scope);
    scope = before;
    if (&scope == &of_process) --calls_outside;
}

zend_array* inherit_context() {
    zend_array* context = current_scope().context;
    if (context) GC_ADDREF(context);
    return context;
}

void forget_process_scope() {
    clear_scope(of_process);
}

}  // namespace sluice::php
