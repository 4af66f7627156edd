#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace sluice {

/// The places of one worker, one for each of its Limits::coroutines, that messages of a reactor hold: those
/// whose handlers wait, and those set aside behind them. They go to whoever comes, but for the last eighth:
/// of that a client gets more only while it holds less than an eighth of what is left, so that no client
/// takes all, nor do some dozens. A worker with less than eight places has them for whoever comes. A client
/// is an address, or a connection whose address nobody knows.
class HeldPlaces {
  public:
    static constexpr size_t kPart = 8;
    /// While no handler waits, so many messages go to a worker however few places it has: it is to be busy.
    static constexpr size_t kFew = 16;

    explicit HeldPlaces(size_t all = SIZE_MAX) : all_(all), for_whoever_comes_(all - all / kPart) {}

    void take(uint64_t client) {
        ++of_client_[client];
        ++taken_;
    }
    void give_back(uint64_t client) {
        const auto place = of_client_.find(client);
        if (--place->second == 0) of_client_.erase(place);
        --taken_;
    }
    /// Whether that many messages that the worker has, and that hold no place yet, leave some to whoever
    /// comes.
    bool has_enough(size_t others) const {
        return taken_ + others < std::max(for_whoever_comes_, taken_ == 0 ? kFew : 0);
    }
    /// Whether a further message of this client may go to the worker when there are not enough. `unbegun`: of
    /// the others so many have not begun, and may be this client's.
    bool may_take(uint64_t client, size_t others, size_t unbegun) const {
        const size_t used = taken_ + others;
        if (used >= all_) return false;
        const auto place = of_client_.find(client);
        const size_t own = unbegun + (place == of_client_.end() ? 0 : place->second);
        return own == 0 || own < (all_ - used) / kPart;
    }

  private:
    size_t all_;
    size_t for_whoever_comes_;
    size_t taken_ = 0;
    std::unordered_map<uint64_t, size_t> of_client_;  ///< none is 0
};

}  // namespace sluice
