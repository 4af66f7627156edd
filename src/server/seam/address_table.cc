#include "server/seam/address_table.h"

namespace sluice {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

std::span<AddressCell> AddressTable::places_of(uint64_t key) const {
    const size_t groups = cells_.size() / kPlaces;
    return cells_.subspan(key % groups * kPlaces, kPlaces);
}

AddressCell* AddressTable::find(uint64_t key) const {
    for (AddressCell& cell : places_of(key)) {
        if (cell.key.load(kRelaxed) == key) return &cell;
    }
    return nullptr;
}

AddressTable::Count AddressTable::count(uint64_t key, uint32_t second) const {
    const AddressCell* cell = find(key);
    if (!cell) return {};
    const bool is_now = cell->second.load(kRelaxed) == second;
    return {cell->open.load(kRelaxed), is_now ? cell->recent.load(kRelaxed) : 0};
}

bool AddressTable::opened(uint64_t key, uint32_t second) {
    AddressCell* cell = find(key);
    if (!cell) {
        for (AddressCell& place : places_of(key)) {
            if (place.open.load(kRelaxed) > 0) continue;
            if (place.key.load(kRelaxed) && place.second.load(kRelaxed) == second) continue;
            cell = &place;
            break;
        }
        if (!cell) return false;
        cell->recent.store(0, kRelaxed);
        cell->second.store(second, kRelaxed);
        cell->key.store(key, kRelaxed);
    }
    if (cell->second.load(kRelaxed) != second) {
        cell->recent.store(0, kRelaxed);
        cell->second.store(second, kRelaxed);
    }
    cell->recent.store(cell->recent.load(kRelaxed) + 1, kRelaxed);
    cell->open.store(cell->open.load(kRelaxed) + 1, kRelaxed);
    return true;
}

void AddressTable::closed(uint64_t key) {
    AddressCell* cell = find(key);
    if (!cell) return;
    const uint32_t open = cell->open.load(kRelaxed);
    if (open > 0) cell->open.store(open - 1, kRelaxed);
}

}  // namespace sluice
