#pragma once

#include <deque>
#include <vector>

#include "core/page_arena.h"
#include "io/fd_channel.h"
#include "server/seam/records.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// A worker's way out: its rings to the reactors, the arena in which long payloads stand, and what found its
/// ring full and must not be lost. Never waits: who may wait asks again.
class Outbox {
  public:
    /// Of the worker in this slot, to all reactors.
    Outbox(const SharedLayout& layout, unsigned slot);

    /// Where the descriptors for a reactor go; stays the caller's.
    void set_files(unsigned reactor, FdChannel* files) { ways_[reactor].files = files; }

    unsigned reactors() const { return static_cast<unsigned>(ways_.size()); }

    /// Whether there can be room for a payload of `bytes` at all.
    bool can_hold(size_t bytes) const {
        return bytes < kOutExtentThreshold || bytes + kOutExtentHeader <= arena_.largest();
    }
    /// How much of the `bytes` that are left of a response's body the next command takes, so that a body of
    /// any length gets through an arena of `arena_bytes`; `begun`: something of the response was sent.
    static size_t part_bytes(size_t bytes, bool begun, uint64_t arena_bytes);

    /// Hands a command over, and counts its payload; false: there is no room now. It is visible after
    /// commit().
    bool push(unsigned reactor, const Command& command);
    /// push() for what must not be lost: without room a copy of it is kept until there is, and whatever
    /// follows it to this reactor stays behind it. False: more is kept than the arena would hold.
    bool push_or_keep(unsigned reactor, const Command& command);

    // push_or_keep() for the port's own notes. However many are kept: an extent that is not given back is
    // lost until this worker ends, and a message that is never finished would hold up its connection.
    bool push(unsigned reactor, const Note& note);
    void push_or_keep(unsigned reactor, const Note& note);

    /// Whether anything waits for room; hand_over_kept() tries again.
    bool has_kept() const { return kept_ > 0; }
    void hand_over_kept();
    /// Nobody takes anything there any more.
    void forget_kept(unsigned reactor);

    /// Makes visible what was pushed; true when there was something.
    bool commit(unsigned reactor);

  private:
    /// With what its views point to.
    struct Kept {
        std::variant<Command, Note> what;
        std::vector<uint64_t> record = {};  ///< with its payload, 8-aligned
        UniqueFd file = {};
        size_t bytes() const { return record.size() * sizeof(uint64_t); }
    };
    struct Way {
        RingProducer ring;
        FdChannel* files = nullptr;
        uint64_t files_sent = 0;
        std::deque<Kept> kept;  ///< oldest first
    };

    static size_t spare_bytes(const RingProducer& ring, const Command& command, size_t bytes);
    bool write(Way& way, const Command& command);
    static bool write(Way& way, const Note& note);
    bool hand_over(Way& way);
    Kept& keep(Way& way);
    void drop_first(Way& way);
    size_t allocate(size_t bytes);
    void sweep();

    const SharedLayout& layout_;
    std::vector<Way> ways_;  ///< by reactor
    PageArena arena_;
    char* arena_data_;
    std::deque<size_t> busy_;  ///< extents of the arena that a reactor has not given back yet
    size_t kept_ = 0;
    uint64_t kept_bytes_ = 0;
};

}  // namespace sluice
