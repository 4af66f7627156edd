#include "server/seam/script_board.h"

#include <new>

#include "core/clock.h"

namespace sluice {

ScriptBoard ScriptBoard::create(unsigned most) {
    ScriptBoard board;
    board.memory_ = SharedMemory::create("sluice-scripts", (most + size_t{1}) * sizeof(ScriptCell));
    board.size_ = board.memory_ ? most : 0;
    for (unsigned place = 0; place < board.size_; ++place)
        new (&board.cell(place)) ScriptCell;
    return board;
}

unsigned ScriptBoard::claim(uint64_t request) const {
    // The first that is free: few processes serve what they can, and their memory is warm.
    for (unsigned place = 0; place < size_; ++place) {
        ScriptCell& one = cell(place);
        uint64_t nobody = 0;
        if (!is_free(one) || !one.request.compare_exchange_strong(nobody, request)) continue;
        // Its process may have ended just now: either its generation has seen the claim, or this sees that.
        if (one.pid.load() != 0 && !one.ends.load()) {
            one.begun_ms.store(monotonic_ms());
            return place;
        }
        if (one.lost.load() != request) one.request.store(0);
    }
    return size_;
}

void ScriptBoard::release(unsigned place) const {
    cell(place).request.store(0);
}

bool ScriptBoard::has_free() const {
    for (unsigned place = 0; place < size_; ++place)
        if (is_free(cell(place))) return true;
    return false;
}

bool ScriptBoard::has_place() const {
    for (unsigned place = 0; place < size_; ++place)
        if (cell(place).pid.load() == 0) return true;
    return false;
}

unsigned ScriptBoard::count_free() const {
    unsigned free = 0;
    for (unsigned place = 0; place < size_; ++place)
        free += is_free(cell(place));
    return free;
}

}  // namespace sluice
