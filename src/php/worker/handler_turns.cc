#include "php/worker/handler_turns.h"

namespace sluice::php {

bool HandlerTurns::take(size_t number, uint32_t most, WorkerPort* port, Inbound& message) {
    Share& share = shares_[number];
    Coroutine* const self = suspendable();
    // Without coroutines no other handler runs.
    if (share.taken < most || !self) {
        ++share.taken;
        return true;
    }
    Waiter waiter{self};
    ++waiting_;
    if (port) port->set_aside(message);
    const Wake wake = share.waiting.wait(waiter, 0);
    if (port) port->begins(message);
    --waiting_;
    if (wake != Wake::kInterrupted) return true;
    if (waiter.served) give(number);
    return false;
}

void HandlerTurns::give(size_t number) {
    Share& share = shares_[number];
    // Hands the turn to the longest waiting one: no other can take it in between.
    if (!scheduler() || !share.waiting.serve_first()) --share.taken;
}

}  // namespace sluice::php
