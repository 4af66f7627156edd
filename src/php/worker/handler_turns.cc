#include "php/worker/handler_turns.h"

namespace sluice::php {

WaitQueue& HandlerTurns::Lines::of(uint64_t client) {
    const auto [known, is_new] = by_client_.try_emplace(client);
    if (is_new) known->second = in_order_.insert(in_order_.end(), {client, {}});
    return known->second->waiting;
}

void HandlerTurns::Lines::tidy(uint64_t client) {
    const auto known = by_client_.find(client);
    if (known == by_client_.end() || known->second->waiting.first) return;
    in_order_.erase(known->second);
    by_client_.erase(known);
}

void HandlerTurns::Lines::serve_next() {
    const auto line = in_order_.begin();
    line->waiting.serve_first();
    in_order_.splice(in_order_.end(), in_order_, line);
    tidy(line->client);
}

bool HandlerTurns::take(size_t number, uint32_t most) {
    Share& share = shares_[number];
    // Without coroutines no other handler runs.
    if (share.taken >= most && suspendable()) return false;
    ++share.taken;
    return true;
}

bool HandlerTurns::await(size_t number, uint64_t client, WorkerPort* port, Inbound& message) {
    Lines& lines = shares_[number].lines;
    Waiter waiter{suspendable()};
    ++waiting_;
    if (port) port->set_aside(message);
    // Once served, the waiter stands in no line, and its line may be gone.
    const Wake wake = lines.of(client).wait(waiter, 0);
    if (!waiter.served) lines.tidy(client);
    if (port) port->begins(message);
    --waiting_;
    if (wake != Wake::kInterrupted) return true;
    if (waiter.served) give(number);
    return false;
}

void HandlerTurns::give(size_t number) {
    Share& share = shares_[number];
    if (!scheduler() || share.lines.empty()) {
        --share.taken;
    } else {
        // Hands the turn on: no other can take it in between.
        share.lines.serve_next();
    }
}

}  // namespace sluice::php
