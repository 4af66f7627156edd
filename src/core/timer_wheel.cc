#include "core/timer_wheel.h"

#include <algorithm>
#include <bit>

namespace sluice {

namespace {
void make_empty(TimerNode& head) {
    head.next = head.previous = &head;
}

void append(TimerNode& head, TimerNode& node) {
    node.previous = head.previous;
    node.next = &head;
    head.previous->next = &node;
    head.previous = &node;
}
}  // namespace

TimerWheel::TimerWheel(uint64_t now_ms) : now_ms_(now_ms) {
    for (auto& level : buckets_) {
        for (auto& head : level)
            make_empty(head);
    }
    make_empty(due_);
}

void TimerWheel::cancel(TimerNode& node) {
    if (!node.armed()) return;
    node.previous->next = node.next;
    node.next->previous = node.previous;
    node.next = node.previous = nullptr;
}

void TimerWheel::insert(TimerNode& node) {
    uint64_t ahead = node.due_ms - now_ms_;
    unsigned level = 0;
    while (level + 1 < kLevels && ahead >= uint64_t{1} << (kBits * (level + 1)))
        ++level;
    uint64_t place = node.due_ms;
    if (level + 1 == kLevels) {  // beyond the wheel's reach: the furthest slot, then anew
        place = std::min(place, now_ms_ + (uint64_t{1} << (kBits * kLevels)) - 1);
    }
    unsigned bucket = (place >> (kBits * level)) & (kBuckets - 1);
    append(buckets_[level][bucket], node);
    occupied_[level] |= uint64_t{1} << bucket;
}

void TimerWheel::arm(TimerNode& node, uint64_t due_ms) {
    cancel(node);
    node.due_ms = std::max(due_ms, now_ms_ + 1);
    insert(node);
}

void TimerWheel::cascade(unsigned level) {
    unsigned bucket = (now_ms_ >> (kBits * level)) & (kBuckets - 1);
    occupied_[level] &= ~(uint64_t{1} << bucket);
    TimerNode& head = buckets_[level][bucket];
    TimerNode list;
    make_empty(list);
    while (head.next != &head) {
        TimerNode& node = *head.next;
        cancel(node);
        append(list, node);
    }
    while (list.next != &list) {
        TimerNode& node = *list.next;
        cancel(node);
        if (node.due_ms <= now_ms_) {
            append(due_, node);
        } else {
            insert(node);
        }
    }
}

TimerNode* TimerWheel::expire(uint64_t now_ms) {
    while (due_.next == &due_ && now_ms_ < now_ms) {
        ++now_ms_;
        for (unsigned level = kLevels - 1; level > 0; --level) {
            if ((now_ms_ & ((uint64_t{1} << (kBits * level)) - 1)) == 0) cascade(level);
        }
        cascade(0);
    }
    if (due_.next == &due_) return nullptr;
    TimerNode* node = due_.next;
    cancel(*node);
    return node;
}

uint64_t TimerWheel::wait_ms(uint64_t now_ms, uint64_t limit_ms) const {
    if (due_.next != &due_) return 0;
    uint64_t wake_ms = now_ms + limit_ms;
    for (unsigned level = 0; level < kLevels; ++level) {
        if (occupied_[level] == 0) continue;
        unsigned shift = kBits * level;
        uint64_t turn = (now_ms_ >> shift) + 1;
        int ahead = std::countr_zero(std::rotr(occupied_[level], static_cast<int>(turn & (kBuckets - 1))));
        wake_ms = std::min(wake_ms, (turn + static_cast<uint64_t>(ahead)) << shift);
    }
    return wake_ms <= now_ms ? 0 : wake_ms - now_ms;
}

}  // namespace sluice
