#pragma once

#include <cstdint>

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\TimeoutException.
extern zend_class_entry* timeout_exception_class;

/// The time in `seconds` from now, in milliseconds of the monotonic clock.
uint64_t deadline_in(double seconds);

/// Whether `seconds` is from `least` to 1e9; throws a ValueError for argument `number` if not.
bool check_seconds(double seconds, double least, uint32_t number);

/// The timeout of a call, from its argument `number`.
struct Timeout {
    double seconds = 0;
    bool is_null = true;  ///< no timeout

    bool check(uint32_t number) const { return is_null || check_seconds(seconds, 0, number); }
    /// A deadline for Scheduler::suspend(). Call it once: the time begins here.
    uint64_t due_ms() const { return is_null ? 0 : deadline_in(seconds); }
    /// Throws TimeoutException: "<what> within <n> s".
    void expire(const char* what) const;
};

}  // namespace sluice::php
