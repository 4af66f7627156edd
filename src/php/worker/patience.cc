#include "php/worker/patience.h"

#include "base/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/worker.h"

namespace sluice::php {

Patience::Then Patience::pause() {
    const uint64_t now_ms = monotonic_ms();
    if (due_ms_ == 0) due_ms_ = now_ms + most_ms_;
    if (now_ms >= due_ms_) return Then::kGiveUp;
    if (!scheduler()) {
        worker_.port->wait(1);
        return Then::kTryAgain;
    }
    Coroutine* self = suspendable();
    if (!self) return EG(exception) ? Then::kInterrupted : Then::kNobodyWaits;
    return repeated_.pause(*self) ? Then::kTryAgain : Then::kInterrupted;
}

}  // namespace sluice::php
