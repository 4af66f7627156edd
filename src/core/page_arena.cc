#include "core/page_arena.h"

#include <bit>

namespace sluice {

namespace {
unsigned class_of(uint32_t pages) {
    return static_cast<unsigned>(std::bit_width(pages)) - 1;
}
}  // namespace

PageArena::PageArena(size_t bytes) : runs_(bytes / kPageSize) {
    for (auto& head : heads_)
        head = kNil;
    if (!runs_.empty()) link(0, static_cast<uint32_t>(runs_.size()));
}

void PageArena::link(uint32_t first, uint32_t pages) {
    unsigned size_class = class_of(pages);
    Run& run = runs_[first];
    run = {pages, false, heads_[size_class], kNil};
    if (run.next != kNil) runs_[run.next].previous = first;
    heads_[size_class] = first;
    nonempty_ |= 1u << size_class;
    Run& last = runs_[first + pages - 1];
    last.pages = pages;
    last.used = false;
}

void PageArena::unlink(uint32_t first) {
    Run& run = runs_[first];
    unsigned size_class = class_of(run.pages);
    if (run.previous != kNil) {
        runs_[run.previous].next = run.next;
    } else {
        heads_[size_class] = run.next;
        if (run.next == kNil) nonempty_ &= ~(1u << size_class);
    }
    if (run.next != kNil) runs_[run.next].previous = run.previous;
}

size_t PageArena::allocate(size_t bytes) {
    size_t wanted = (bytes + kPageSize - 1) / kPageSize;
    if (wanted == 0) wanted = 1;
    if (wanted > runs_.size()) return kNone;
    uint32_t pages = static_cast<uint32_t>(wanted);
    uint32_t found = kNil;
    // In the size's own class a run may be too short: its list is searched. In a higher class any run fits.
    for (uint32_t run = heads_[class_of(pages)]; run != kNil && found == kNil; run = runs_[run].next) {
        if (runs_[run].pages >= pages) found = run;
    }
    if (found == kNil) {
        unsigned above = class_of(pages) + 1;
        uint32_t candidates = above < kClasses ? nonempty_ & ~((1u << above) - 1) : 0;
        if (candidates == 0) return kNone;
        found = heads_[std::countr_zero(candidates)];
    }
    uint32_t rest = runs_[found].pages - pages;
    unlink(found);
    if (rest) link(found + pages, rest);
    runs_[found + pages - 1] = {0, true, kNil, kNil};
    runs_[found] = {pages, true, kNil, kNil};
    used_pages_ += pages;
    return size_t{found} * kPageSize;
}

size_t PageArena::size_at(size_t offset) const {
    size_t page = offset / kPageSize;
    if (offset % kPageSize != 0 || page >= runs_.size()) return 0;
    const Run& run = runs_[page];
    return run.used ? size_t{run.pages} * kPageSize : 0;
}

bool PageArena::extend(size_t offset, size_t bytes) {
    const size_t has = size_at(offset) / kPageSize;
    const size_t wanted = (bytes + kPageSize - 1) / kPageSize;
    if (has == 0 || wanted <= has) return has != 0;
    const uint32_t first = static_cast<uint32_t>(offset / kPageSize);
    const uint32_t after = first + static_cast<uint32_t>(has);
    const uint32_t more = static_cast<uint32_t>(wanted - has);
    if (after >= runs_.size() || runs_[after].used || runs_[after].pages < more) return false;
    const uint32_t rest = runs_[after].pages - more;
    unlink(after);
    runs_[after] = {};
    runs_[after - 1] = {};
    if (rest) link(after + more, rest);
    runs_[after + more - 1] = {0, true, kNil, kNil};
    runs_[first] = {static_cast<uint32_t>(wanted), true, kNil, kNil};
    used_pages_ += more;
    return true;
}

bool PageArena::free(size_t offset) {
    if (size_at(offset) == 0) return false;
    uint32_t first = static_cast<uint32_t>(offset / kPageSize);
    uint32_t pages = runs_[first].pages;
    used_pages_ -= pages;
    uint32_t after = first + pages;
    runs_[first].pages = 0;
    runs_[after - 1] = {};
    if (after < runs_.size() && !runs_[after].used) {
        uint32_t more = runs_[after].pages;
        unlink(after);
        runs_[after] = {};
        pages += more;
    }
    if (first > 0 && !runs_[first - 1].used) {
        uint32_t before = first - runs_[first - 1].pages;
        pages += runs_[before].pages;
        unlink(before);
        runs_[first - 1] = {};
        runs_[first] = {};
        first = before;
    }
    link(first, pages);
    return true;
}

}  // namespace sluice
