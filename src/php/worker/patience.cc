#include "php/worker/patience.h"

#include <bit>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/worker.h"

namespace sluice::php {

/// Logs the first, second, fourth, eighth … time.
void Patience::tell_of_loss() const {
    static uint64_t lost = 0;
    if (!std::has_single_bit(++lost)) return;
    SLUICE_WARNING(
        "nothing could be sent for %llu ms, so a message or a part of a response is dropped: the ring to the "
        "reactor (ringBytes) or the memory for payloads (outBytes) is full; %llu dropped so far",
        static_cast<unsigned long long>(most_ms_), static_cast<unsigned long long>(lost));
}

bool Patience::may_try(const Command& command) const {
    if (line_) return line_->first == &waiter_;
    // A caller that cannot wait has no turn.
    return worker_.ways_out.empty() || worker_.forked ||
           !worker_.ways_out.line_for(*worker_.port, command).first || !scheduler() || !suspendable();
}

void Patience::leave() {
    if (line_) worker_.ways_out.remove(*line_, waiter_);
    line_ = nullptr;
}

Patience::Then Patience::pause(const Command& command) {
    const uint64_t now_ms = monotonic_ms();
    if (due_ms_ == 0) due_ms_ = now_ms + most_ms_;
    if (now_ms >= due_ms_) return Then::kGiveUp;
    if (!scheduler()) {
        worker_.port->wait_without_messages(1);
        return Then::kTryAgain;
    }
    Coroutine* self = suspendable();
    if (!self) return EG(exception) ? Then::kInterrupted : Then::kNobodyWaits;
    if (!line_) {
        waiter_.coroutine = self;
        line_ = &worker_.ways_out.line_for(*worker_.port, command);
        worker_.ways_out.add(*line_, waiter_);
    }
    // There is no notification of room: the first waiter polls, the others wait for their turn.
    if (line_->first == &waiter_) return repeated_.pause(*self) ? Then::kTryAgain : Then::kInterrupted;
    return scheduler()->suspend(*self, due_ms_) == Wake::kInterrupted ? Then::kInterrupted : Then::kTryAgain;
}

}  // namespace sluice::php
