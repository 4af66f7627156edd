#include "php/worker/handler_turns.h"

#include <algorithm>

#include "core/clock.h"

namespace sluice::php {

bool HandlerTurns::take(size_t number, uint32_t most) {
    Share& share = share_of(number);
    // Without coroutines no other handler runs.
    if (share.taken >= most && suspendable()) return false;
    ++share.taken;
    return true;
}

bool HandlerTurns::await(size_t number, const FairQueue::Flow& flow, WorkerPort* port, Inbound& message) {
    FairQueue& queue = share_of(number).waiting;
    Waiter waiter{suspendable()};
    const auto item = reinterpret_cast<FairQueue::Item>(&waiter);
    queue.add(flow, item, monotonic_us());
    ++waiting_;
    if (port) port->park(message);
    const Wake wake = scheduler()->suspend(*waiter.coroutine, 0);
    if (!waiter.served) queue.remove(item);
    if (port) port->begins(message);
    --waiting_;
    if (wake != Wake::kInterrupted) return true;
    if (waiter.served) give(number);
    return false;
}

void HandlerTurns::give(size_t number) {
    Share& share = share_of(number);
    if (!scheduler() || share.waiting.empty()) {
        --share.taken;
        return;
    }
    // Hands the turn on: no other can take it in between.
    const FairQueue::Item next = share.waiting.next(monotonic_us());
    share.waiting.remove(next);
    auto* const waiter = reinterpret_cast<Waiter*>(next);
    waiter->served = true;
    scheduler()->wake(*waiter->coroutine);
}

void HandlerTurns::charge(const FairQueue::Flow& flow, uint64_t us, uint32_t most) const {
    const auto cost_us = static_cast<uint32_t>(std::min<uint64_t>(us / most, FlowCosts::kMostUs));
    costs_.charge(flow.client, cost_us, monotonic_ms());
}

bool HandlerTurn::take(size_t share, uint32_t most, const Occasion& occasion, WorkerPort* port,
                       Inbound& message) {
    if (most == 0) return true;
    share_ = share;
    most_ = most;
    // The requests of one client are in order, whatever connections they come by.
    flow_ = {occasion.client(), kNoConnection};
    is_taken_ = turns_.take(share, most) || turns_.await(share, flow_, port, message);
    since_us_ = monotonic_us();
    return is_taken_;
}

void HandlerTurn::give() {
    if (!is_taken_) return;
    turns_.charge(flow_, monotonic_us() - since_us_, most_);
    turns_.give(share_);
    is_taken_ = false;
}

}  // namespace sluice::php
