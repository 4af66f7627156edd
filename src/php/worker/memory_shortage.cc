#include "php/worker/memory_shortage.h"

#include <bit>

#include "core/clock.h"
#include "core/log.h"
#include "php/worker/garbage.h"
#include "php/worker/worker.h"
#include "php/zend/exceptions.h"
#include "php/zend/php_api.h"

namespace sluice::php {

namespace {
/// Frees garbage cycles, and pages that the allocator has kept.
void collect() {
    collect_garbage();
    if (EG(exception)) log_exception("a destructor");
    zend_mm_gc(zend_mm_get_heap());
}
}  // namespace

void MemoryShortage::look(Worker& worker) {
    if (gave_up_ || !worker.port->is_short_of_memory()) {
        since_ms_ = 0;
        return;
    }
    const uint64_t now_ms = monotonic_ms();
    if (!since_ms_) {
        since_ms_ = now_ms;
        collect();
        if (!worker.port->is_short_of_memory() || !std::has_single_bit(++times_)) return;
        SLUICE_WARNING(
            "PHP has taken %zu bytes, and memory_limit is %lld: there is no room for further messages, which "
            "wait; %llu times so far",
            zend_memory_usage(true), static_cast<long long>(PG(memory_limit)),
            static_cast<unsigned long long>(times_));
        return;
    }
    if (now_ms - since_ms_ < kPatienceMs) return;
    gave_up_ = true;
    SLUICE_WARNING("for %llu ms no memory has come back (memory_limit: %lld): another worker is to take over",
                   static_cast<unsigned long long>(now_ms - since_ms_),
                   static_cast<long long>(PG(memory_limit)));
    worker.port->request_replacement();
}

}  // namespace sluice::php
