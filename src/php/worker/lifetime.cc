#include "php/worker/lifetime.h"

#include <algorithm>
#include <random>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/fatal_errors.h"
#include "php/worker/garbage.h"
#include "php/worker/worker.h"
#include "php/zend/exceptions.h"
#include "php/zend/php_api.h"

namespace sluice::php {

namespace {

constexpr uint64_t kLongestWaitMs = 3'600'000;

/// Adds up to a tenth.
uint64_t with_jitter(uint64_t value) {
    std::random_device chance;
    return value + chance() % (value / 10 + 1);
}

}  // namespace

Lifetime::Lifetime(const LifetimeLimits& limits) : limits_(limits) {
    if (limits_.requests) limits_.requests = with_jitter(limits_.requests);
    if (limits_.duration_ms) due_ms_ = monotonic_ms() + with_jitter(limits_.duration_ms);
}

const char* Lifetime::reached(const Worker& worker) const {
    if (worker.asks_for_successor) return "replace";
    if (limits_.requests && worker.handled >= limits_.requests) return "requests";
    if (due_ms_ && monotonic_ms() >= due_ms_) return "seconds";
    if (!limits_.memory_bytes || zend_memory_usage(false) < limits_.memory_bytes) return nullptr;
    // Collect cycles first: garbage must not count.
    collect_garbage();
    if (EG(exception)) log_exception("a destructor");
    return zend_memory_usage(false) < limits_.memory_bytes ? nullptr : "memoryBytes";
}

void Lifetime::look(Worker& worker) {
    if (UNEXPECTED(has_survived_fatal_error()) && !is_broken_ && !worker.port->stopping()) {
        is_broken_ = asked_ = true;
        SLUICE_WARNING(
            "a fatal error has ended one handler: this worker finishes what else it has begun, for at most "
            "Limits::$shutdownSeconds, and another one takes its place");
        worker.port->request_replacement();
    }
    if (asked_ || worker.port->stopping()) return;
    const char* const limit = reached(worker);
    if (!limit) return;
    asked_ = true;
    if (worker.asks_for_successor) {
        SLUICE_INFO("has called Worker::replace(), and another worker takes over");
    } else {
        SLUICE_INFO(
            "has handled %llu requests and messages, and PHP has %zu bytes of memory: $%s of recycle() is "
            "reached, and another worker takes over",
            static_cast<unsigned long long>(worker.handled), zend_memory_usage(false), limit);
    }
    worker.port->request_successor();
}

int Lifetime::wait_ms() const {
    if (asked_ || !due_ms_) return -1;
    const uint64_t now_ms = monotonic_ms();
    return static_cast<int>(std::min(due_ms_ > now_ms ? due_ms_ - now_ms : 0, kLongestWaitMs));
}

}  // namespace sluice::php
