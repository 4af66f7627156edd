#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "io/mapping_budget.h"
#include "server/seam/fair_budget.h"

namespace sluice {

/// The places of one worker, one for each of its coroutines, that messages of a reactor hold: those
/// whose handlers wait, and those set aside behind them. Clients share them as `fair` says.
class HeldPlaces {
  public:
    /// While no handler waits, so many messages go to a worker however few places it has: it is to be busy.
    static constexpr size_t kFew = 16;

    /// How many a worker with this limit of coroutines has: the kernel may have mappings for fewer stacks.
    static size_t of_worker(size_t coroutines) {
        return std::min(coroutines, MappingBudget::of_process().stacks());
    }

    explicit HeldPlaces(size_t all = SIZE_MAX) : places_(all) {}

    void take(uint64_t client) { places_.charge(client, 1); }
    void give_back(uint64_t client) { places_.give_back(client); }
    /// Whether that many messages that the worker has, and that hold no place yet, leave some to whoever
    /// comes.
    bool has_enough(size_t others) const {
        const size_t taken = places_.used();
        return taken + others < std::max<size_t>(fair::for_whoever_comes(places_.most()), taken ? 0 : kFew);
    }
    /// Whether a further message of this client may go to the worker when there are not enough. `unbegun`: of
    /// the others so many have not begun, and may be this client's.
    bool may_take(uint64_t client, size_t others, size_t unbegun) const {
        return fair::allows(places_.most(), places_.used() + others + 1,
                            places_.used_by(client) + unbegun + 1, 1, fair::kEighth);
    }

  private:
    FairBudget places_;
};

}  // namespace sluice
