#pragma once

#include <atomic>
#include <random>
#include <thread>

#include "ring_world.h"

namespace sluice::test {

/// Writes edge values all over what the stranger shares with the reactor.
class Scribbler {
  public:
    explicit Scribbler(const SharedLayout& layout, unsigned seed) : random_(seed) {
        for (const bool inbound : {true, false}) {
            const SharedLayout::Ring ring = layout.ring(inbound, 0, RingWorld::kStranger);
            places_.push_back({reinterpret_cast<char*>(ring.header), sizeof *ring.header});
            places_.push_back({ring.data, 4096});
        }
        places_.push_back(layout.out_arena(RingWorld::kStranger).first(2 * PageArena::kPageSize));
        thread_ = std::thread([this] {
            while (!stopped_.load(std::memory_order_relaxed))
                scribble();
        });
    }
    ~Scribbler() {
        stopped_ = true;
        thread_.join();
    }

  private:
    void scribble() {
        static constexpr uint64_t kValues[] = {0,    1,     7,     8,        24,         48,        64,
                                               4096, 65535, 65536, 1u << 31, UINT32_MAX, UINT64_MAX};
        const std::span<char> part = places_[random_() % places_.size()];
        const uint64_t value = random_() % 4 ? kValues[random_() % std::size(kValues)] : random_();
        const size_t bytes = size_t{1} << random_() % 4;
        char* const place = part.data() + random_() % (part.size() / bytes) * bytes;
        switch (bytes) {
            case 1: *reinterpret_cast<volatile uint8_t*>(place) = static_cast<uint8_t>(value); break;
            case 2: *reinterpret_cast<volatile uint16_t*>(place) = static_cast<uint16_t>(value); break;
            case 4: *reinterpret_cast<volatile uint32_t*>(place) = static_cast<uint32_t>(value); break;
            default: *reinterpret_cast<volatile uint64_t*>(place) = value;
        }
    }

    std::mt19937_64 random_;
    std::vector<std::span<char>> places_;
    std::atomic<bool> stopped_ = false;
    std::thread thread_;
};

}  // namespace sluice::test
