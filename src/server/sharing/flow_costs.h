#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// One cell of FlowCosts, in memory that all reactors share; zeroed once.
struct CostCell {
    std::atomic<uint64_t> state;  ///< the cost in µs, and the ms at which it was that much
};
static_assert(sizeof(CostCell) == 8);

/// What each flow has cost lately: microseconds of workers and reactors that were used for it. A flow is all
/// that one client key stands for. The cost halves each kHalfLifeMs, so whoever stops is sparse again within
/// seconds, and it is bounded, so nobody waits for long because of what was. Nothing else is remembered: not
/// whether answers were read, not how connections ended.
///
/// A count-min sketch: a flow has a cell in each of kRows rows, which it may share with others, and its cost
/// is that of its least cell. So memory is fixed however many flows there are, and one flow is taken for
/// another only when both of its cells are shared with dear ones. Keys come from a keyed hash, which clients
/// cannot aim. Any reactor may charge and ask at any time.
class FlowCosts {
  public:
    static constexpr size_t kRows = 2;
    static constexpr uint64_t kHalfLifeMs = 500;
    /// The most that a flow's cost can be, in µs.
    static constexpr uint32_t kMostUs = 60'000'000;

    /// How many cells there should be, in all rows: a power of two for each.
    static constexpr size_t cells_for(size_t per_row) { return kRows * per_row; }

    /// `cells`: kRows times a power of two.
    explicit FlowCosts(std::span<CostCell> cells) : cells_(cells), mask_(cells.size() / kRows - 1) {}

    /// The key of a connection, which has a cost of its own.
    static constexpr uint64_t of_connection(uint64_t id) { return id ^ 0x5851F42D4C957F2Du; }

    // `key`: of the client, or of_connection(). `now_ms`: of a monotonic clock that all who share the cells
    // read.

    /// One of two charges of a cell at the same moment may be lost.
    void charge(uint64_t key, uint32_t cost_us, uint64_t now_ms) const;
    uint32_t recent_us(uint64_t key, uint64_t now_ms) const;

  private:
    /// The rows take halves of a mix of the key, which have nothing to do with each other.
    CostCell& cell(uint64_t key, size_t row) const {
        key = (key ^ (key >> 33)) * 0xFF51AFD7ED558CCDu;
        key = (key ^ (key >> 33)) * 0xC4CEB9FE1A85EC53u;
        key ^= key >> 33;
        return cells_[row * (mask_ + 1) + ((key >> (32 * row)) & mask_)];
    }

    std::span<CostCell> cells_;
    size_t mask_;
};

}  // namespace sluice
