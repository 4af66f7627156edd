#include "server/sharing/fair_queue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace sluice {

namespace {
uint64_t delay_us(double doublings) {
    return static_cast<uint64_t>(static_cast<double>(FairQueue::kDoublingUs) * doublings);
}
}  // namespace

uint64_t FairQueue::due_us(const Flow& flow, uint64_t since_us, uint64_t now_us) const {
    const uint64_t due_us = since_us + (flow.is_backlogged ? kBackloggedUs : 0);
    const uint32_t client_us = costs_.recent_us(flow.client, now_us / 1000);
    if (client_us <= kQuantumUs) return due_us;
    const uint32_t connection_us = costs_.recent_us(FlowCosts::of_connection(flow.connection), now_us / 1000);
    return due_us + delay_us(std::log2(double{1.0} * client_us / kQuantumUs)) +
           delay_us(std::log2(1.0 + double{1.0} * connection_us / kConnectionQuantumUs));
}

/// Puts a client where its first item is due now.
void FairQueue::place(Key client, Waiting& waiting) {
    const bool is_out = waiting.due.empty() || waiting.passed_over.size() >= kMostInVain;
    const uint64_t due_us = is_out ? kNowhere : waiting.due.begin()->first;
    if (due_us == waiting.placed_us) return;
    if (waiting.placed_us != kNowhere) order_.erase({waiting.placed_us, client});
    if (due_us != kNowhere) order_.emplace(due_us, client);
    waiting.placed_us = due_us;
}

void FairQueue::add(const Flow& flow, Item item, uint64_t since_us, uint64_t now_us) {
    assert(!has(item) && "an item waits once");
    const uint64_t due = due_us(flow, since_us, now_us);
    entries_.emplace(item, Entry{flow, since_us, due});
    Waiting& waiting = flows_[flow.client];
    waiting.due.emplace(due, item);
    place(flow.client, waiting);
}

bool FairQueue::remove(Item item, uint64_t* since_us) {
    const auto found = entries_.find(item);
    if (found == entries_.end()) return false;
    const Entry& entry = found->second;
    const Key client = entry.flow.client;
    if (since_us) *since_us = entry.since_us;
    const auto flow = flows_.find(client);
    if (flow->second.due.erase({entry.due_us, item}) == 0) std::erase(flow->second.passed_over, item);
    entries_.erase(found);
    place(client, flow->second);
    if (flow->second.due.empty() && flow->second.passed_over.empty()) flows_.erase(flow);
    return true;
}

void FairQueue::begin(Item item, uint64_t now_us) {
    uint64_t since_us = now_us;
    if (remove(item, &since_us))
        least_wait_us_ = std::min(least_wait_us_, now_us - std::min(now_us, since_us));
}

FairQueue::Item FairQueue::next(uint64_t now_us) {
    for (;;) {
        const Key client = order_.begin()->second;
        Waiting& waiting = flows_.find(client)->second;
        const auto [due, item] = *waiting.due.begin();
        Entry& entry = entries_.find(item)->second;
        const uint64_t due_now = due_us(entry.flow, entry.since_us, now_us);
        if (due_now <= due + kLaterUs) return item;
        entry.due_us = due_now;
        waiting.due.erase(waiting.due.begin());
        waiting.due.emplace(due_now, item);
        place(client, waiting);
    }
}

void FairQueue::pass_over(Item item) {
    const Entry& entry = entries_.find(item)->second;
    Waiting& waiting = flows_.find(entry.flow.client)->second;
    if (waiting.due.erase({entry.due_us, item}) == 0) return;
    if (waiting.passed_over.empty()) passed_over_.push_back(entry.flow.client);
    waiting.passed_over.push_back(item);
    place(entry.flow.client, waiting);
}

void FairQueue::end_pass() {
    for (const Key client : passed_over_) {
        const auto flow = flows_.find(client);
        if (flow == flows_.end()) continue;
        for (const Item item : std::exchange(flow->second.passed_over, {}))
            flow->second.due.emplace(entries_.find(item)->second.due_us, item);
        place(client, flow->second);
    }
    passed_over_.clear();
}

bool FairQueue::is_overloaded(uint64_t now_us) {
    if (target_us_ == 0 || now_us < interval_ends_us_) return is_overloaded_;
    uint64_t least_us = least_wait_us_;
    if (least_us == UINT64_MAX)
        least_us = has_next() ? now_us - std::min(now_us, entries_.find(next(now_us))->second.since_us) : 0;
    is_overloaded_ = least_us > target_us_;
    least_wait_us_ = UINT64_MAX;
    interval_ends_us_ = now_us + kIntervalUs;
    return is_overloaded_;
}

}  // namespace sluice
