#include "server/seam/outbox.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <fcntl.h>

#include "server/seam/port_base.h"

namespace sluice {

namespace {
/// Long bodies go in parts of this size: small enough to follow the client's pace.
constexpr size_t kPartBytes = 1u << 20;
/// A longer body than this part of the arena goes in parts, to leave room for others.
constexpr uint64_t kWholePart = 4;

/// This part of a ring is reserved for commands that need little of it.
constexpr size_t kSparePart = 16;

std::atomic<uint32_t>& state_of(char* extent) {
    return *reinterpret_cast<std::atomic<uint32_t>*>(extent);
}
}  // namespace

Outbox::Outbox(const SharedLayout& layout, unsigned slot)
    : layout_(layout),
      ways_(layout.shape().reactors),
      arena_(layout.shape().out_bytes),
      arena_data_(layout.out_arena(slot).data()) {
    for (unsigned reactor = 0; reactor < ways_.size(); ++reactor)
        ways_[reactor].ring = layout.out_producer(slot, reactor);
}

size_t Outbox::part_bytes(size_t bytes, bool begun, uint64_t arena_bytes) {
    const size_t whole = static_cast<size_t>(std::min<uint64_t>(arena_bytes / kWholePart, UINT32_MAX));
    const size_t part = std::min(kPartBytes, whole);
    return bytes <= (begun ? part : whole) ? bytes : part;
}

/// Frees extents whose payloads the reactors have sent.
void Outbox::sweep() {
    for (size_t count = busy_.size(); count > 0; --count) {
        const size_t offset = busy_.front();
        busy_.pop_front();
        if (state_of(arena_data_ + offset).load(std::memory_order_acquire) == kOutExtentFree) {
            arena_.free(offset);
        } else {
            busy_.push_back(offset);
        }
    }
}

size_t Outbox::allocate(size_t bytes) {
    sweep();
    return arena_.allocate(kOutExtentHeader + bytes);
}

/// How much a record must leave free in its ring. Nothing if it is short, as its payload stands elsewhere, or
/// if it is a question, which needs room in all rings at once. So these two do not starve while others submit
/// without end.
size_t Outbox::spare_bytes(const RingProducer& ring, const Command& command, size_t bytes) {
    if (command.payload.size() >= kOutExtentThreshold || command.is_question()) return 0;
    const size_t spare = ring.capacity() / kSparePart;
    // A ring has contiguous room for more than half of its size only at some positions.
    return bytes + spare <= ring.capacity() / 2 ? spare : 0;
}

/// Writes one record; false when there is no room.
bool Outbox::write(Way& way, const Command& command) {
    const bool extent = command.payload.size() >= kOutExtentThreshold;
    const size_t bytes = command_record_bytes(command, extent);
    if (!way.ring.has_room(bytes + spare_bytes(way.ring, command, bytes))) return false;
    uint64_t number = 0;
    if (const command::FilePart* file = command.file()) {
        // The descriptor must be sent before its record is visible, and only when the record is sure to be
        // written.
        if (!way.files || !way.files->send(way.files_sent, file->fd)) return false;
        number = way.files_sent++;
    } else if (extent) {
        number = allocate(command.payload.size());
        if (number == PageArena::kNone) return false;
        state_of(arena_data_ + number).store(kOutExtentBusy, std::memory_order_relaxed);
        memcpy(arena_data_ + number + kOutExtentHeader, command.payload.data(), command.payload.size());
        busy_.push_back(number);
    }
    write_command(way.ring.reserve(bytes), command, extent, number);
    way.ring.complete();
    // After complete(): should the process die here, the reactor still takes the command, and the count
    // holds.
    count_submitted(layout_, command);
    return true;
}

bool Outbox::write(Way& way, const Note& note) {
    char* place = way.ring.reserve(sizeof(NoteRecord));
    if (!place) return false;
    write_note(place, note);
    way.ring.complete();
    return true;
}

bool Outbox::push(unsigned reactor, const Command& command) {
    Way& way = ways_[reactor];
    return hand_over(way) && write(way, command);
}

bool Outbox::push(unsigned reactor, const Note& note) {
    Way& way = ways_[reactor];
    return hand_over(way) && write(way, note);
}

bool Outbox::push_or_keep(unsigned reactor, const Command& command) {
    if (push(reactor, command)) return true;
    const size_t bytes = command_record_bytes(command, false);
    if (kept_bytes_ + bytes > arena_.capacity()) return false;
    UniqueFd file;
    if (command.file()) {
        file.reset(fcntl(command.file()->fd, F_DUPFD_CLOEXEC, 0));
        if (!file) return false;
    }
    Kept& kept = keep(ways_[reactor]);
    kept.record.resize((bytes + 7) / 8);
    char* record = reinterpret_cast<char*>(kept.record.data());
    write_command(record, command, false, 0);
    const std::optional<DecodedCommand> decoded = read_command({record, bytes}, number_of(command));
    assert(decoded && "what a port writes can be read");
    Command& own = kept.what.emplace<Command>(decoded->command);
    kept.file = std::move(file);
    if (own.file()) own.file()->fd = kept.file.get();
    kept_bytes_ += kept.bytes();
    return true;
}

void Outbox::push_or_keep(unsigned reactor, const Note& note) {
    if (!push(reactor, note)) keep(ways_[reactor]).what = note;
}

Outbox::Kept& Outbox::keep(Way& way) {
    ++kept_;
    return way.kept.emplace_back();
}

void Outbox::drop_first(Way& way) {
    --kept_;
    kept_bytes_ -= way.kept.front().bytes();
    way.kept.pop_front();
}

/// Hands over what is kept; true when nothing is kept for this reactor any more.
bool Outbox::hand_over(Way& way) {
    while (!way.kept.empty() &&
           std::visit([&](const auto& what) { return write(way, what); }, way.kept.front().what))
        drop_first(way);
    return way.kept.empty();
}

void Outbox::hand_over_kept() {
    if (kept_ == 0) return;
    for (Way& way : ways_)
        hand_over(way);
}

void Outbox::forget_kept(unsigned reactor) {
    while (!ways_[reactor].kept.empty())
        drop_first(ways_[reactor]);
}

bool Outbox::commit(unsigned reactor) {
    RingProducer& ring = ways_[reactor].ring;
    if (!ring.has_uncommitted()) return false;
    ring.commit();
    return true;
}

}  // namespace sluice
