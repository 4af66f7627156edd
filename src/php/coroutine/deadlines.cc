#include "php/coroutine/deadlines.h"

#include <cmath>

#include "core/clock.h"

namespace sluice::php {

zend_class_entry* timeout_exception_class = nullptr;

namespace {
constexpr double kMostSeconds = 1e9;
}

uint64_t deadline_in(double seconds) {
    // Add one: the current millisecond has begun already.
    return monotonic_ms() + static_cast<uint64_t>(std::ceil(seconds * 1000)) + (seconds > 0 ? 1 : 0);
}

bool check_seconds(double seconds, double least, uint32_t number) {
    if (seconds >= least && seconds <= kMostSeconds) return true;
    zend_argument_value_error(number, "must be between %.*H and 1e9 seconds, %.*H given", -1, least, -1,
                              seconds);
    return false;
}

void Timeout::expire(const char* what) const {
    zend_throw_exception_ex(timeout_exception_class, 0, "%s within %g s", what, seconds);
}

}  // namespace sluice::php
