#include "php/hooks/hooks_of_time.h"

#include <cerrno>
#include <ctime>
#include <unistd.h>

#include "core/clock.h"
#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"
#include "php/hooks/hook_groups.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

constexpr long kNsPerSecond = 1'000'000'000;

bool is_valid(const timespec& time) {
    return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < kNsPerSecond;
}

uint64_t ms_of(const timespec& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1000 +
           static_cast<uint64_t>(time.tv_nsec + 999'999) / 1'000'000;
}

/// The end of a wait from now on: one more, as the current millisecond has begun already.
uint64_t due_in(uint64_t ms) {
    return monotonic_ms() + ms + 1;
}

int hooked_usleep(useconds_t us) {
    if (is_interrupted()) return refuse_to_wait();
    Coroutine* self = hookable();
    if (!self) return usleep(us);
    if (scheduler()->suspend(*self, due_in((uint64_t{us} + 999) / 1000)) == Wake::kInterrupted)
        return refuse_to_wait();
    return 0;
}

/// The remaining time of an interrupted wait.
uint64_t left_ms(uint64_t due_ms) {
    const uint64_t now_ms = monotonic_ms();
    return now_ms >= due_ms ? 0 : due_ms - now_ms;
}

unsigned hooked_sleep(unsigned seconds) {
    if (is_interrupted()) return seconds;
    Coroutine* self = hookable();
    if (!self) return sleep(seconds);
    const uint64_t due_ms = due_in(uint64_t{seconds} * 1000);
    if (scheduler()->suspend(*self, due_ms) != Wake::kInterrupted) return 0;
    return static_cast<unsigned>((left_ms(due_ms) + 999) / 1000);
}

/// nanosleep()'s result as an error number. Not EINTR, on which some callers retry for ever.
int sleep_for(Coroutine& self, uint64_t ms, timespec* left) {
    const uint64_t due_ms = due_in(ms);
    if (scheduler()->suspend(self, due_ms) != Wake::kInterrupted) return 0;
    const uint64_t rest_ms = left_ms(due_ms);
    if (left) *left = {static_cast<time_t>(rest_ms / 1000), static_cast<long>(rest_ms % 1000) * 1'000'000};
    return EINTR;
}

int hooked_nanosleep(const timespec* wanted, timespec* left) {
    if (is_interrupted()) {
        if (left && wanted) *left = *wanted;
        return refuse_to_wait();
    }
    Coroutine* self = wanted && is_valid(*wanted) ? hookable() : nullptr;
    if (!self) return nanosleep(wanted, left);
    const int error = sleep_for(*self, ms_of(*wanted), left);
    if (error) errno = error;
    return error ? -1 : 0;
}

int hooked_clock_nanosleep(clockid_t clock, int flags, const timespec* wanted, timespec* left) {
    if (is_interrupted()) return ECANCELED;
    const bool passes_evenly = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
    Coroutine* self = wanted && is_valid(*wanted) && passes_evenly ? hookable() : nullptr;
    if (!self) return clock_nanosleep(clock, flags, wanted, left);
    if (!(flags & TIMER_ABSTIME)) return sleep_for(*self, ms_of(*wanted), left);
    timespec now;
    clock_gettime(clock, &now);
    const uint64_t now_ms =
        static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
    const uint64_t wanted_ms = ms_of(*wanted);
    return wanted_ms > now_ms ? sleep_for(*self, wanted_ms - now_ms, nullptr) : 0;
}

/// PHP gives the C library 32 bits of the number.
void sleep_long(INTERNAL_FUNCTION_PARAMETERS) {
    const zval* const number = ZEND_NUM_ARGS() == 1 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    if (EXPECTED(!number || Z_TYPE_P(number) != IS_LONG || Z_LVAL_P(number) <= UINT32_MAX)) {
        original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    const timespec time = {static_cast<time_t>(Z_LVAL_P(number) / 1'000'000),
                           static_cast<long>(Z_LVAL_P(number) % 1'000'000) * 1000};
    installed_hooks() & kTimeHooks ? hooked_nanosleep(&time, nullptr) : nanosleep(&time, nullptr);
}

zend_function* find_usleep() {
    return static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("usleep")));
}

const Redirection kHooks[] = {SLUICE_HOOK(usleep), SLUICE_HOOK(sleep), SLUICE_HOOK(nanosleep),
                              SLUICE_HOOK(clock_nanosleep)};

}  // namespace

std::span<const Redirection> time_hooks() {
    return kHooks;
}

void lengthen_usleep() {
    if (zend_function* const function = find_usleep()) wrap_function(function, sleep_long);
}

void release_usleep() {
    if (zend_function* const function = find_usleep()) unwrap_function(function, sleep_long);
}

}  // namespace sluice::php
