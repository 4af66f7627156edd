#include "server/sharing/fair_queue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>
#include <utility>

namespace sluice {

namespace {
uint64_t delay_us(double doublings) {
    return static_cast<uint64_t>(static_cast<double>(FairQueue::kDoublingUs) * doublings);
}
}  // namespace

uint64_t FairQueue::delay_of_client(Key client, uint64_t now_us) const {
    const uint32_t cost_us = costs_.recent_us(client, now_us / 1000);
    return cost_us <= kQuantumUs ? 0 : delay_us(std::log2(double{1.0} * cost_us / kQuantumUs));
}

uint64_t FairQueue::delay_of_connection(Key connection, uint64_t now_us) const {
    const uint32_t cost_us = costs_.recent_us(FlowCosts::of_connection(connection), now_us / 1000);
    return delay_us(std::log2(1.0 + double{1.0} * cost_us / kConnectionQuantumUs));
}

void FairQueue::put_in(Waiting& waiting, const Entry& entry, Item item) {
    waiting.due.emplace(entry.due_us, item);
    waiting.from.emplace(entry.from_us(), item);
}

bool FairQueue::take_out(Waiting& waiting, const Entry& entry, Item item) {
    waiting.from.erase({entry.from_us(), item});
    return waiting.due.erase({entry.due_us, item}) != 0;
}

/// Puts a client where it is due now.
void FairQueue::place(Key client, Waiting& waiting) {
    const bool is_out = waiting.due.empty() || waiting.passed_over.size() >= kMostInVain;
    const uint64_t due_us = is_out ? kNowhere : waiting.from.begin()->first + waiting.delay_us;
    if (due_us == waiting.placed_us) return;
    if (waiting.placed_us != kNowhere) order_.erase({waiting.placed_us, client});
    if (due_us != kNowhere) order_.emplace(due_us, client);
    waiting.placed_us = due_us;
}

void FairQueue::add(const Flow& flow, Item item, uint64_t since_us, uint64_t now_us) {
    assert(!has(item) && "an item waits once");
    Entry entry{flow, since_us, since_us, 0};
    entry.due_us = entry.from_us() + delay_of_connection(flow.connection, now_us);
    entries_.emplace(item, entry);
    came_.emplace(since_us, item);
    const auto [found, is_new] = flows_.try_emplace(flow.client);
    if (is_new) found->second.delay_us = delay_of_client(flow.client, now_us);
    put_in(found->second, entry, item);
    place(flow.client, found->second);
}

bool FairQueue::remove(Item item, uint64_t* since_us) {
    const auto found = entries_.find(item);
    if (found == entries_.end()) return false;
    const Entry& entry = found->second;
    const Key client = entry.flow.client;
    if (since_us) *since_us = entry.since_us;
    came_.erase({entry.came_us, item});
    const auto flow = flows_.find(client);
    if (!take_out(flow->second, entry, item)) std::erase(flow->second.passed_over, item);
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
        const uint64_t delay_us = delay_of_client(client, now_us);
        if (delay_us <= waiting.delay_us + kLaterUs) return waiting.due.begin()->second;
        waiting.delay_us = delay_us;
        place(client, waiting);
    }
}

void FairQueue::pass_over(Item item) {
    const Entry& entry = entries_.find(item)->second;
    Waiting& waiting = flows_.find(entry.flow.client)->second;
    if (!take_out(waiting, entry, item)) return;
    if (waiting.passed_over.empty()) passed_over_.push_back(entry.flow.client);
    waiting.passed_over.push_back(item);
    place(entry.flow.client, waiting);
}

void FairQueue::put_behind(Item item, uint64_t now_us) {
    pass_over(item);
    Entry& entry = entries_.find(item)->second;
    entry.since_us = now_us;
    entry.due_us = entry.from_us() + delay_of_connection(entry.flow.connection, now_us);
}

void FairQueue::end_pass() {
    for (const Key client : passed_over_) {
        const auto flow = flows_.find(client);
        if (flow == flows_.end()) continue;
        for (const Item item : std::exchange(flow->second.passed_over, {}))
            put_in(flow->second, entries_.find(item)->second, item);
        place(client, flow->second);
    }
    passed_over_.clear();
}

/// Looking at all flows for each item would not be cheap: one look is enough for half of what the fattest
/// have.
void FairQueue::find_fattest(uint64_t now_us) {
    struct Candidate {
        uint64_t weight;
        uint64_t from_us;  ///< of those that weigh the same the newest goes first
        Fat flow;
    };
    std::vector<Candidate> all;
    uint64_t most = 0;
    for (const auto& [client, waiting] : flows_) {
        if (waiting.due.empty()) continue;
        const uint64_t cost_us = kQuantumUs + costs_.recent_us(client, now_us / 1000);
        all.push_back({waiting.size() * cost_us, waiting.from.begin()->first, {client, waiting.size() / 2}});
        most = std::max(most, all.back().weight);
    }
    std::erase_if(all, [most](const Candidate& one) { return one.weight < most / 2; });
    const auto end = all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), kMostFat));
    std::partial_sort(all.begin(), end, all.end(), [](const Candidate& one, const Candidate& other) {
        return std::tie(one.weight, one.from_us) > std::tie(other.weight, other.from_us);
    });
    for (auto one = end; one != all.begin();)
        fattest_.push_back((--one)->flow);
}

FairQueue::Item FairQueue::newest_of_fattest(uint64_t now_us) {
    for (;; fattest_.pop_back()) {
        if (fattest_.empty()) find_fattest(now_us);
        const auto flow = flows_.find(fattest_.back().client);
        if (flow != flows_.end() && flow->second.size() > fattest_.back().left && !flow->second.due.empty())
            return flow->second.due.rbegin()->second;
    }
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
