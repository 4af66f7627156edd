#include "php/shared/counter_class.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/deadlines.h"
#include "php/shared/named.h"
#include "php/zend/objects.h"
#include "shared/named_memories.h"

namespace sluice::php {

namespace {

using Count = std::atomic<zend_long>;

struct CounterObject {
    Count* count;
    zend_object object;
};

zend_object_handlers handlers;

zend_object* create_counter(zend_class_entry* class_entry) {
    return &new_embedded<CounterObject>(class_entry, handlers)->object;
}

/// nullptr: an exception is set.
Count* count_of(zval* self) {
    Count* const count = embedded<CounterObject>(self)->count;
    if (!count) zend_throw_error(nullptr, "The counter is not constructed");
    return count;
}

/// The kernel waits on 32 bits: the low ones, which are the first.
static_assert(std::endian::native == std::endian::little);
uint32_t* word_of(Count* count) {
    return reinterpret_cast<uint32_t*>(count);
}

/// The kernel does not see changes of the high bits alone: whoever waits looks again after this time.
constexpr uint64_t kLookMs = 100;
/// Nothing in shared memory wakes an event loop: a coroutine looks again after 1 ms and, as it waits longer,
/// after up to this time.
constexpr uint64_t kLongestPauseMs = 16;

/// Blocks until wake(), a signal, or the time: 0 for none.
/// False when a signal has come.
bool block_on(Count* count, zend_long value, uint64_t due_ms) {
    const uint64_t now = sluice::monotonic_ms();
    const uint64_t left = due_ms == 0 ? kLookMs : std::min(kLookMs, due_ms > now ? due_ms - now : 0);
    const timespec pause = {static_cast<time_t>(left / 1000), static_cast<long>(left % 1000 * 1'000'000)};
    return syscall(SYS_futex, word_of(count), FUTEX_WAIT, static_cast<uint32_t>(value), &pause, nullptr, 0) ==
               0 ||
           errno != EINTR;
}

}  // namespace

void init_counter_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_counter;
    init_handlers<CounterObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Shared_Counter, __construct) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    CounterObject* const self = embedded<CounterObject>(ZEND_THIS);
    if (self->count) {
        zend_throw_error(nullptr, "The counter is constructed already");
        RETURN_THROWS();
    }
    const NamedMemory named = open_named(name, sluice::NamedMemories::kCounterShape, sizeof(Count));
    if (named.memory.empty()) RETURN_THROWS();
    self->count = reinterpret_cast<Count*>(named.memory.data());
}

ZEND_METHOD(Sluice_Shared_Counter, get) {
    ZEND_PARSE_PARAMETERS_NONE();
    const Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    RETURN_LONG(count->load());
}

ZEND_METHOD(Sluice_Shared_Counter, set) {
    zend_long value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    count->store(value);
}

ZEND_METHOD(Sluice_Shared_Counter, add) {
    zend_long by = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(by)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    zend_long before = count->load();
    zend_long sum;
    do {
        if (__builtin_add_overflow(before, by, &sum)) {
            zend_throw_exception_ex(zend_ce_arithmetic_error, 0,
                                    "The sum of " ZEND_LONG_FMT " and " ZEND_LONG_FMT " is out of range",
                                    before, by);
            RETURN_THROWS();
        }
    } while (!count->compare_exchange_weak(before, sum));
    RETURN_LONG(sum);
}

ZEND_METHOD(Sluice_Shared_Counter, compareAndSet) {
    zend_long expected, value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(expected)
    Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    RETURN_BOOL(count->compare_exchange_strong(expected, value));
}

ZEND_METHOD(Sluice_Shared_Counter, waitWhile) {
    zend_long value;
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_LONG(value)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count || !timeout.check(2)) RETURN_THROWS();
    const uint64_t due_ms = timeout.due_ms();
    Coroutine* const self = suspendable();
    for (uint64_t pause = 1; count->load() == value; pause = std::min(2 * pause, kLongestPauseMs)) {
        const uint64_t now = sluice::monotonic_ms();
        if (due_ms != 0 && now >= due_ms) RETURN_FALSE;
        if (self) {
            scheduler()->suspend(*self, due_ms == 0 ? now + pause : std::min(due_ms, now + pause));
            if (EG(exception)) RETURN_THROWS();
        } else if (!block_on(count, value, due_ms)) {
            RETURN_BOOL(count->load() != value);
        }
    }
    RETURN_TRUE;
}

ZEND_METHOD(Sluice_Shared_Counter, wake) {
    zend_long processes = INT_MAX;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(processes)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    if (processes < 1 || processes > INT_MAX) {
        zend_argument_value_error(1, "must be 1 to %d, " ZEND_LONG_FMT " given", INT_MAX, processes);
        RETURN_THROWS();
    }
    RETURN_LONG(
        syscall(SYS_futex, word_of(count), FUTEX_WAKE, static_cast<int>(processes), nullptr, nullptr, 0));
}
