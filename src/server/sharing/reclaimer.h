#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sluice {

/// Says from whom to take back what has become short - memory, descriptors, connections - of those who may
/// lose it: from the holder that has most, its worst first, then again from the one that has most. So what
/// greedy holders keep ends level, and whoever has less loses nothing. All of a lower rank go before those of
/// a higher one. Knows no sockets, protocols or workers.
///
/// A look at n candidates of which k are taken costs n + k log n. Memory is kept for the next look.
class Reclaimer {
  public:
    using Key = uint64_t;   ///< of a holder: a client
    using Item = uint64_t;  ///< as the caller numbers them

    struct Candidate {
        Key holder;
        Item item;
        uint64_t amount;   ///< what the holder has by it
        uint64_t badness;  ///< of a holder's, the highest goes first
        unsigned rank = 0;
    };
    void offer(const Candidate& candidate);
    /// Whom to take from next, of those up to this rank; what it has is no longer its holder's. Offer no more
    /// from the first call on.
    std::optional<Item> next(unsigned last_rank = UINT32_MAX);
    size_t size() const { return candidates_.size(); }
    /// Ends the look.
    void clear();

  private:
    /// What one holder has in one rank. Its candidates stand together once the first was taken.
    struct Holder {
        unsigned rank;
        size_t count = 0;
        uint64_t amount = 0;
        uint64_t worst = 0;  ///< the highest badness
        size_t begin = 0;
        bool is_heap = false;
    };
    struct Entry {
        uint64_t badness;
        uint64_t amount;
        Item item;
        size_t holder;
    };
    bool goes_later(size_t one, size_t other) const;
    void put_together();

    std::vector<Entry> candidates_;
    std::vector<Entry> together_;  ///< by holder
    std::vector<Holder> holders_;
    std::vector<size_t> order_;                            ///< a heap of holders
    std::vector<std::unordered_map<Key, size_t>> places_;  ///< in holders_, for each rank
    bool is_looking_ = false;
};

}  // namespace sluice
