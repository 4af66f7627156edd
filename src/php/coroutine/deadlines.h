#pragma once

#include <cstdint>

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\TimeoutException.
extern zend_class_entry* timeout_exception_class;

/// When so many seconds are over, in milliseconds of the monotonic clock.
uint64_t deadline_in(double seconds);

/// Whether it is between `least` and 1e9; throws a ValueError for argument `number` of the running function.
bool check_seconds(double seconds, double least, uint32_t number);

/// How long a call may wait, as its argument `number` says.
struct Timeout {
    double seconds = 0;
    bool is_null = true;  ///< for ever

    bool check(uint32_t number) const { return is_null || check_seconds(seconds, 0, number); }
    /// As Scheduler::suspend() takes it. Ask once: the time begins here.
    uint64_t due_ms() const { return is_null ? 0 : deadline_in(seconds); }
    /// Throws TimeoutException: "<what> within <n> s".
    void expire(const char* what) const;
};

}  // namespace sluice::php
