#include "php/coroutine/coroutine.h"

#include "php/coroutine/occasion.h"

namespace sluice::php {

int place_of_coroutine = 0;

namespace {

zend_function* entry_function;
zend_class_entry* entry_scope;
zend_function* start_method;

/// A page, the smallest size that PHP's allocator shrinks to without copying. Deeper calls get PHP's usual 16
/// KiB on top, as long as they need them.
constexpr size_t kFrameBytes = 4096;

}  // namespace

void init_coroutines(zend_function* entry, zend_class_entry* scope) {
    entry_function = entry;
    entry_scope = scope;
    start_method = static_cast<zend_function*>(
        zend_hash_str_find_ptr(&zend_ce_fiber->function_table, ZEND_STRL("start")));
    place_of_coroutine = zend_get_resource_handle("sluice");
}

bool is_coroutine_entry(const zend_function* function) {
    return function == entry_function;
}

void create_fiber(Coroutine& coroutine) {
    zval value;
    object_init_ex(&value, zend_ce_fiber);
    zend_fiber* fiber = reinterpret_cast<zend_fiber*>(Z_OBJ(value));
    fiber->fci.size = sizeof fiber->fci;
    ZVAL_UNDEF(&fiber->fci.function_name);
    fiber->fci_cache.function_handler = entry_function;
    fiber->fci_cache.called_scope = entry_scope;
    fiber->context.reserved[place_of_coroutine] = &coroutine;
    coroutine.fiber = fiber;
}

bool start_fiber(zend_fiber* fiber) {
    zval returned;
    ZVAL_UNDEF(&returned);
    zend_call_known_instance_method_with_0_params(start_method, &fiber->std, &returned);
    zval_ptr_dtor(&returned);
    return fiber->context.status != ZEND_FIBER_STATUS_INIT;
}

void shrink_frame_stack() {
    zend_vm_stack stack = EG(vm_stack);
    const size_t used =
        static_cast<size_t>(reinterpret_cast<char*>(EG(vm_stack_top)) - reinterpret_cast<char*>(stack));
    const size_t now =
        static_cast<size_t>(reinterpret_cast<char*>(stack->end) - reinterpret_cast<char*>(stack));
    // Only PHP's own allocator is known to shrink in place.
    if (stack->prev || used > kFrameBytes / 2 || now <= kFrameBytes || !is_zend_mm()) return;
    zend_vm_stack shrunk = static_cast<zend_vm_stack>(erealloc(stack, kFrameBytes));
    ZEND_ASSERT(shrunk == stack);
    shrunk->end = reinterpret_cast<zval*>(reinterpret_cast<char*>(shrunk) + kFrameBytes);
    EG(vm_stack_end) = shrunk->end;
}

Coroutine* coroutine_of(const zend_fiber_context* context) {
    while (context && context->kind == zend_ce_fiber) {
        if (void* coroutine = context->reserved[place_of_coroutine])
            return static_cast<Coroutine*>(coroutine);
        context = zend_fiber_from_context(const_cast<zend_fiber_context*>(context))->caller;
    }
    return nullptr;
}

uint64_t client_of(const Coroutine& coroutine) {
    return coroutine.occasion ? coroutine.occasion->client() : coroutine.client;
}

}  // namespace sluice::php
