#pragma once

#include <array>
#include <cstdint>

#include "server/seam/request_board.h"

namespace sluice {

/// Decides which requests of a worker are noted, and writes them to its board.
class RequestRecorder {
  public:
    /// No request that takes less is among the slowest.
    static constexpr uint64_t kFloorUs = 1000;
    /// After it a slow request makes way for a faster one, so that the list is about what happens now.
    static constexpr uint64_t kKeptUs = 600'000'000;

    /// `now_us` is since 1970, here and below. The board may hold records of a former worker of the slot.
    RequestRecorder(RequestBoard& board, uint64_t now_us);

    /// For each request: whether it is one of the slowest.
    bool is_slow(uint64_t total_us, uint64_t now_us) const {
        return total_us > (now_us < valid_until_us_ ? least_us_ : kFloorUs);
    }
    void note_slow(const RequestRecord& record, uint64_t now_us);
    void note_failed(const RequestRecord& record);
    /// For the observer to take. Dropped, and counted, when that is behind.
    void note_traced(const RequestRecord& record);

  private:
    struct Place {
        uint64_t total_us = 0;
        uint64_t until_us = 0;  ///< 0: free
    };
    void find_least(uint64_t now_us);

    RequestBoard& board_;
    std::array<Place, RequestBoard::kSlow> places_;
    uint64_t least_us_ = kFloorUs;  ///< of the noted, when all places are taken
    uint64_t valid_until_us_ = 0;   ///< until when `least_us_` holds
    size_t least_place_ = 0;
    size_t next_failed_ = 0;
};

}  // namespace sluice
