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
constexpr double kForEver = 1e9;


zend_object_handlers handlers;

struct WaiterObject {
    Coroutine* coroutine;  ///< while it waits
    bool woken;
    zend_object object;
};

zend_object* create_waiter(zend_class_entry* class_entry) {
    return &new_embedded<WaiterObject>(class_entry, handlers)->object;
}

/// Rounded up: a caller that returns early would only wait again.
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

bool has_buffered(const php_stream* stream) {
    return stream->writepos > stream->readpos;
}

/// The streams of waitForStreams(), and who waits for them.
struct Watched {
    pollfd* fds;
    FdWait* waits;
    nfds_t count = 0;
    bool buffered = false;  ///< one of them can be read without its descriptor
};

/// Adds those of a table that are streams with a descriptor; the others have -1, which poll(2) passes over.
void watch(Watched& watched, HashTable* streams, short events) {
    zval* resource;
    ZEND_HASH_FOREACH_VAL(streams, resource) {
        ZVAL_DEREF(resource);
        auto* stream = Z_TYPE_P(resource) == IS_RESOURCE
                           ? static_cast<php_stream*>(zend_fetch_resource2(
                                 Z_RES_P(resource), nullptr, php_file_le_stream(), php_file_le_pstream()))
                           : nullptr;
        watched.fds[watched.count++] = {stream ? descriptor_of(stream) : -1, events, 0};
        watched.buffered = watched.buffered || (stream && events == POLLIN && has_buffered(stream));
    }
    ZEND_HASH_FOREACH_END();
}

/// Waits for one of them, for `waiter` or for the time. False with an exception set when interrupted.
bool wait_for(Watched& watched, WaiterObject* waiter, Coroutine& self, uint64_t due_ms) {
    nfds_t waiting = 0;
    for (nfds_t index = 0; index < watched.count; ++index) {
        const pollfd& one = watched.fds[index];
        if (one.fd >= 0)
            watched.waits[waiting++] = {one.fd, static_cast<uint32_t>(one.events), &self, nullptr};
    }
    auto was_closed = [&] {
        for (nfds_t index = 0; index < waiting; ++index)
            if (watched.waits[index].closed) return true;
        return false;
    };
    Wake wake = Wake::kWoken;
    while (!waiter->woken && wake == Wake::kWoken && poll(watched.fds, watched.count, 0) == 0) {
        // Files are always ready, and cannot be waited for: poll(2) has said so.
        if (!scheduler()->suspend_for(self, {watched.waits, waiting}, due_ms, wake) || was_closed()) break;
    }
    return wake != Wake::kInterrupted;
}

/// The keys of a table's streams that are ready. What has no descriptor is not.
void add_ready(zval* keys, HashTable* streams, const pollfd* fds) {
    array_init(keys);
    zend_ulong number;
    zend_string* name;
    zval* resource;
    ZEND_HASH_FOREACH_KEY_VAL(streams, number, name, resource) {
        const pollfd& one = *fds++;
        if (one.fd < 0) continue;
        ZVAL_DEREF(resource);
        auto* stream = static_cast<php_stream*>(
            zend_fetch_resource2(Z_RES_P(resource), nullptr, php_file_le_stream(), php_file_le_pstream()));
        // Closed meanwhile, or ready, or with an error, which a read or write will report.
        const bool ready =
            stream && ((one.revents & ~POLLNVAL) || (one.events == POLLIN && has_buffered(stream)));
        if (ready && name) add_next_index_str(keys, zend_string_copy(name));
        if (ready && !name) add_next_index_long(keys, static_cast<zend_long>(number));
    }
    ZEND_HASH_FOREACH_END();
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

ZEND_METHOD(Sluice_Internal_Waiter, ownsFiber) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(current_coroutine() != nullptr);
}

ZEND_METHOD(Sluice_Internal_Waiter, client) {
    ZEND_PARSE_PARAMETERS_NONE();
    const Coroutine* const self = enclosing_coroutine();
    RETURN_LONG(self ? static_cast<zend_long>(client_of(*self)) : 0);
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
    // Without a timer, so that a wait that nobody can end is found to be a deadlock.
    const uint64_t due_ms = seconds == kForEver ? 0 : sluice::monotonic_ms() + ms_of(seconds) + 1;
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
    // A Fiber that outlives the loop cannot be woken.
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

ZEND_METHOD(Sluice_Internal_Waiter, waitForStreams) {
    HashTable* read;
    HashTable* write;
    double seconds;
    ZEND_PARSE_PARAMETERS_START(3, 3)
    Z_PARAM_ARRAY_HT(read)
    Z_PARAM_ARRAY_HT(write)
    Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(seconds, 0, 3)) RETURN_THROWS();
    WaiterObject* waiter = embedded<WaiterObject>(ZEND_THIS);
    Coroutine* self = suspendable();
    if (self && waiter->coroutine) {
        zend_throw_error(nullptr, "Another coroutine waits with this waiter already");
        RETURN_THROWS();
    }
    const size_t most = zend_hash_num_elements(read) + zend_hash_num_elements(write);
    Watched watched{static_cast<pollfd*>(safe_emalloc(most, sizeof(pollfd), 1)),
                    static_cast<FdWait*>(safe_emalloc(most, sizeof(FdWait), 1))};
    watch(watched, read, POLLIN);
    watch(watched, write, POLLOUT);
    const uint64_t ms = watched.buffered ? 0 : ms_of(seconds);
    bool done = true;
    if (self && ms > 0) {
        waiter->coroutine = self;
        done = wait_for(watched, waiter, *self, sluice::monotonic_ms() + ms + 1);
        waiter->coroutine = nullptr;
    } else if (!waiter->woken) {
        poll(watched.fds, watched.count, static_cast<int>(ms < INT32_MAX ? ms : INT32_MAX));
    }
    waiter->woken = false;
    if (done) {
        // Poll again: for streams that have become ready since, or after a wake-up without a poll.
        poll(watched.fds, watched.count, 0);
        zval keys;
        array_init(return_value);
        add_ready(&keys, read, watched.fds);
        add_next_index_zval(return_value, &keys);
        add_ready(&keys, write, watched.fds + zend_hash_num_elements(read));
        add_next_index_zval(return_value, &keys);
    }
    efree(watched.fds);
    efree(watched.waits);
    if (!done) RETURN_THROWS();
}
