#include "server/seam/request_recorder.h"

#include <algorithm>

namespace sluice {

RequestRecorder::RequestRecorder(RequestBoard& board, uint64_t now_us) : board_(board) {
    const size_t begun = std::min<size_t>(board.slow_begun.load(), RequestBoard::kSlow);
    for (size_t place = 0; place < begun; ++place) {
        RequestRecord record;
        if (board.slow[place].read(record)) places_[place] = {record.total_us(), record.at_us + kKeptUs};
    }
    next_failed_ = board.failed_begun.load() % RequestBoard::kFailed;
    find_least(now_us);
}

/// The place that the next slow request gets: the first that is free or over its time, or else the fastest.
void RequestRecorder::find_least(uint64_t now_us) {
    least_place_ = 0;
    valid_until_us_ = UINT64_MAX;
    for (size_t place = 0; place < places_.size(); ++place) {
        if (places_[place].until_us <= now_us) {
            least_place_ = place;
            least_us_ = kFloorUs;
            return;
        }
        valid_until_us_ = std::min(valid_until_us_, places_[place].until_us);
        if (places_[place].total_us < places_[least_place_].total_us) least_place_ = place;
    }
    least_us_ = places_[least_place_].total_us;
}

void RequestRecorder::note_slow(const RequestRecord& record, uint64_t now_us) {
    if (now_us >= valid_until_us_) find_least(now_us);
    board_.slow[least_place_].write(record);
    const auto begun = static_cast<uint32_t>(least_place_ + 1);
    if (board_.slow_begun.load(std::memory_order_relaxed) < begun)
        board_.slow_begun.store(begun, std::memory_order_release);
    places_[least_place_] = {record.total_us(), now_us + kKeptUs};
    find_least(now_us);
}

void RequestRecorder::note_failed(const RequestRecord& record) {
    board_.failed[next_failed_].write(record);
    const auto begun = static_cast<uint32_t>(next_failed_ + 1);
    if (board_.failed_begun.load(std::memory_order_relaxed) < begun)
        board_.failed_begun.store(begun, std::memory_order_release);
    next_failed_ = (next_failed_ + 1) % RequestBoard::kFailed;
}

void RequestRecorder::note_traced(const RequestRecord& record) {
    const uint64_t put = board_.traced_put.load(std::memory_order_relaxed);
    if (put - board_.traced_taken.load(std::memory_order_acquire) >= RequestBoard::kTraced) {
        board_.traced_dropped.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    board_.traced[put % RequestBoard::kTraced].write(record);
    board_.traced_put.store(put + 1, std::memory_order_release);
}

}  // namespace sluice
