#pragma once

#include <deque>
#include <vector>

#include "core/page_arena.h"
#include "io/fd_channel.h"
#include "server/seam/records.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// A worker's outgoing side: its rings to the reactors, the arena of long payloads, and the commands kept
/// while a ring is full. Never waits: the caller may wait and retry.
class Outbox {
  public:
    /// For the worker in this slot, to all reactors.
    Outbox(const SharedLayout& layout, unsigned slot);

    /// Sets the channel of descriptors to a reactor; the caller owns it.
    void set_files(unsigned reactor, FdChannel* files) { ways_[reactor].files = files; }

    unsigned reactors() const { return static_cast<unsigned>(ways_.size()); }

    /// Whether a payload of `bytes` can ever fit.
    bool can_hold(size_t bytes) const {
        return bytes < kOutExtentThreshold || bytes + kOutExtentHeader <= arena_.largest();
    }
    /// How much of the remaining `bytes` of a response's body the next command takes, so that a body of any
    /// length passes through an arena of `arena_bytes`; `begun`: a part of the response was sent.
    static size_t part_bytes(size_t bytes, bool begun, uint64_t arena_bytes);

    /// Writes a command, and counts its payload; false: there is no room now. Reactors see it after
    /// commit().
    bool push(unsigned reactor, const Command& command);
    /// push() for commands that must not be lost: without room a copy is kept, and later commands to this
    /// reactor queue behind it. False: more would be kept than the arena holds.
    bool push_or_keep(unsigned reactor, const Command& command);

    // push() and push_or_keep() for the port's own notes. Any number is kept: an extent that is not given
    // back is lost until this worker ends, and a message that is never finished blocks its connection.
    bool push(unsigned reactor, const Note& note);
    void push_or_keep(unsigned reactor, const Note& note);

    /// Whether anything waits for room; hand_over_kept() tries again.
    bool has_kept() const { return kept_ > 0; }
    void hand_over_kept();
    /// Drops what is kept for a reactor that has gone.
    void forget_kept(unsigned reactor);

    /// Makes pushed commands visible; true when there were any.
    bool commit(unsigned reactor);

  private:
    /// A kept command or note, with the memory of its views.
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
