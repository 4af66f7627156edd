#include "php/tasks/waiter_class.h"

#include <cmath>
#include <poll.h>

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"
#include "php/coroutine/waiting.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_object_handlers handlers;

struct WaiterObject {
    Coroutine* coroutine;  ///< while it waits
    bool woken;
    zend_object object;
};

zend_object* create_waiter(zend_class_entry* class_entry) {
    return &new_embedded<WaiterObject>(class_entry, handlers)->object;
}

/// Rounded up: who comes back before his time would only come again.
uint64_t ms_of(double seconds) {
    return static_cast<uint64_t>(std::ceil(seconds * 1000));
}

/// The stream's descriptor for a poll; -1 when it has none.
int descriptor_of(php_stream* stream) {
    int fd = -1;
    return php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL,
                           reinterpret_cast<void**>(&fd), 0) == SUCCESS
               ? fd
               : -1;
}

}  // namespace

void init_waiter_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_waiter;
    init_handlers<WaiterObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Internal_Waiter, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Internal_Waiter, canWait) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(suspendable() != nullptr);
}

ZEND_METHOD(Sluice_Internal_Waiter, wait) {
    double seconds;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(seconds, 0, 1)) RETURN_THROWS();
    WaiterObject* waiter = embedded<WaiterObject>(ZEND_THIS);
    Coroutine* self = require_coroutine();
    if (!self) RETURN_THROWS();
    if (waiter->coroutine) {
        zend_throw_error(nullptr, "Another coroutine waits with this waiter already");
        RETURN_THROWS();
    }
    const uint64_t due_ms = sluice::monotonic_ms() + ms_of(seconds) + 1;
    Wake wake = Wake::kWoken;
    waiter->coroutine = self;
    while (!waiter->woken && wake == Wake::kWoken)
        wake = scheduler()->suspend(*self, due_ms);
    waiter->coroutine = nullptr;
    if (wake == Wake::kInterrupted) RETURN_THROWS();
    const bool woken = waiter->woken;
    waiter->woken = false;
    RETURN_BOOL(woken);
}

ZEND_METHOD(Sluice_Internal_Waiter, wake) {
    ZEND_PARSE_PARAMETERS_NONE();
    WaiterObject* waiter = embedded<WaiterObject>(ZEND_THIS);
    waiter->woken = true;
    // A Fiber of PHP's own that outlives the loop has nobody to wake it.
    if (waiter->coroutine && scheduler()) scheduler()->wake(*waiter->coroutine);
}

ZEND_METHOD(Sluice_Internal_Waiter, forStream) {
    zval* resource;
    bool write;
    double seconds;
    ZEND_PARSE_PARAMETERS_START(3, 3)
    Z_PARAM_RESOURCE(resource)
    Z_PARAM_BOOL(write)
    Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(seconds, 0, 3)) RETURN_THROWS();
    php_stream* stream;
    php_stream_from_zval(stream, resource);
    pollfd one = {descriptor_of(stream), static_cast<short>(write ? POLLOUT : POLLIN), 0};
    if (one.fd < 0) {
        zend_argument_value_error(1, "must be a stream with a descriptor");
        RETURN_THROWS();
    }
    const uint64_t ms = ms_of(seconds);
    const int timeout_ms = static_cast<int>(ms < INT32_MAX ? ms : INT32_MAX);
    Coroutine* self = suspendable();
    const int ready = self ? wait_in_poll(*self, &one, 1, timeout_ms) : poll(&one, 1, timeout_ms);
    RETURN_BOOL(ready > 0);
}
