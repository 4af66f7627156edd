#include "server/sharing/reclaimer.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace sluice {

namespace {
constexpr auto is_better = [](const auto& one, const auto& other) { return one.badness < other.badness; };
}  // namespace

void Reclaimer::offer(const Candidate& candidate) {
    assert(!is_looking_);
    if (places_.size() <= candidate.rank) places_.resize(candidate.rank + 1);
    const auto [place, is_new] = places_[candidate.rank].try_emplace(candidate.holder, holders_.size());
    if (is_new) holders_.push_back({.rank = candidate.rank});
    Holder& holder = holders_[place->second];
    ++holder.count;
    holder.amount += candidate.amount;
    holder.worst = std::max(holder.worst, candidate.badness);
    candidates_.push_back({candidate.badness, candidate.amount, candidate.item, place->second});
}

/// Whether one is taken from after the other.
bool Reclaimer::goes_later(size_t one, size_t other) const {
    const Holder &a = holders_[one], &b = holders_[other];
    return std::tuple(b.rank, a.amount, a.worst) < std::tuple(a.rank, b.amount, b.worst);
}

void Reclaimer::put_together() {
    size_t begin = 0;
    for (size_t i = 0; i < holders_.size(); ++i) {
        holders_[i].begin = begin;
        begin += holders_[i].count;
        holders_[i].count = 0;
        order_.push_back(i);
    }
    together_.resize(candidates_.size());
    for (const Entry& entry : candidates_) {
        Holder& holder = holders_[entry.holder];
        together_[holder.begin + holder.count++] = entry;
    }
}

std::optional<Reclaimer::Item> Reclaimer::next(unsigned last_rank) {
    const auto later = [this](size_t one, size_t other) { return goes_later(one, other); };
    if (!is_looking_) {
        is_looking_ = true;
        put_together();
        std::make_heap(order_.begin(), order_.end(), later);
    }
    if (order_.empty() || holders_[order_.front()].rank > last_rank) return {};
    std::pop_heap(order_.begin(), order_.end(), later);
    Holder& holder = holders_[order_.back()];
    const auto begin = together_.begin() + static_cast<ptrdiff_t>(holder.begin);
    const auto end = begin + static_cast<ptrdiff_t>(holder.count);
    if (!holder.is_heap) std::make_heap(begin, end, is_better);
    holder.is_heap = true;
    std::pop_heap(begin, end, is_better);
    const Entry taken = *(end - 1);
    holder.amount -= taken.amount;
    if (--holder.count == 0) {
        order_.pop_back();
    } else {
        holder.worst = begin->badness;
        std::push_heap(order_.begin(), order_.end(), later);
    }
    return taken.item;
}

void Reclaimer::clear() {
    candidates_.clear();
    together_.clear();
    holders_.clear();
    order_.clear();
    for (auto& places : places_)
        places.clear();
    is_looking_ = false;
}

}  // namespace sluice
