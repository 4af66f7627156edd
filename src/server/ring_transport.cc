#include "server/ring_transport.h"

#include <cassert>
#include <cstring>

#include "base/log.h"
#include "io/doorbell.h"

namespace sluice {

RingTransport::RingTransport(const SharedLayout& layout, unsigned reactor, std::vector<int> worker_doorbells)
    : layout_(layout),
      reactor_(reactor),
      links_(worker_doorbells.size()),
      arena_(layout.shape().arena_bytes),
      arena_data_(layout.arena(reactor).data()),
      lent_to_(layout.shape().arena_bytes / PageArena::kPageSize, kReactorOwns) {
    for (size_t i = 0; i < links_.size(); ++i)
        links_[i].doorbell = worker_doorbells[i];
}

char* RingTransport::payload_at(uint32_t page) const {
    return arena_data_ + size_t{page} * PageArena::kPageSize + kPayloadOffset;
}

void RingTransport::worker_ready(int worker) {
    Link& link = links_[static_cast<size_t>(worker)];
    unsigned slot = static_cast<unsigned>(worker);
    link.in = layout_.in_producer(reactor_, slot);
    link.commands = CommandInlet(layout_.out_consumer(slot, reactor_), layout_.out_arena(slot));
    link.state = State::kReady;
}

void RingTransport::worker_draining(int worker) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (link.state == State::kReady) link.state = State::kDraining;
}

void RingTransport::worker_gone(int worker, TransportEvents& events) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (link.state == State::kAbsent) {  // it died before it was ready, but it may have said something
        layout_.reset_rings(reactor_, static_cast<unsigned>(worker));
        return;
    }
    if (link.state != State::kCorrupt) {
        pump_commands(worker, events);  // what it said before it died counts
        pop_finished(worker, events);
    }
    uint64_t taken = link.in.taken();
    link.state = State::kAbsent;
    std::deque<InFlight> left;
    left.swap(link.in_flight);
    for (const InFlight& message : left) {
        if (message.end <= taken) {
            events.on_lost(worker, message.kind, message.connection, message.request);
            continue;
        }
        Orphan orphan;
        orphan.record_bytes = 0;
        uint16_t kind = 0;
        // The record stands in memory that the worker could write to: take its size from our own notes.
        const char* record = link.in.at(message.begin);
        RecordHeader header;
        memcpy(&header, record, sizeof header);
        kind = header.kind;
        if (kind == static_cast<uint16_t>(message.kind) && header.size >= sizeof(InboundRecord) &&
            round_record(header.size) <= message.end - message.begin) {
            orphan.record_bytes = header.size;
        } else {
            events.on_lost(worker, message.kind, message.connection, message.request);
            continue;
        }
        orphan.record.resize((orphan.record_bytes + 7) / 8);
        memcpy(orphan.record.data(), record, orphan.record_bytes);
        orphan.slot_page = message.slot_page;
        orphan.payload_bytes = message.payload_bytes;
        orphan.kind = message.kind;
        orphan.connection = message.connection;
        orphan.request = message.request;
        if (message.slot_page != kNoPage) lent_to_[message.slot_page] = kReactorOwns;
        orphans_.push_back(std::move(orphan));
    }
    for (size_t page = 0; page < lent_to_.size(); ++page) {
        if (lent_to_[page] == worker) take_back(worker, page);
    }
    link.commands.detach();
    layout_.reset_rings(reactor_, static_cast<unsigned>(worker));
    link.in = {};
}

Room RingTransport::allocate(size_t bytes) {
    size_t offset = arena_.allocate(kPayloadOffset + bytes + kPayloadTail);
    if (offset == PageArena::kNone) return {};
    return {arena_data_ + offset + kPayloadOffset, arena_.size_at(offset) - kPayloadOffset - kPayloadTail};
}

void RingTransport::free(Room room) {
    [[maybe_unused]] bool known = arena_.free(static_cast<size_t>(room.data - kPayloadOffset - arena_data_));
    assert(known && "room that was allocated here");
}

int RingTransport::least_busy() {
    // Beginning at another worker each time spreads the load when all are equally busy.
    int best = kNoWorker;
    size_t least = SIZE_MAX;
    size_t count = links_.size();
    for (size_t i = 0; i < count; ++i) {
        size_t worker = (i + rotation_) % count;
        const Link& link = links_[worker];
        if (link.state != State::kReady || link.in_flight.size() >= least) continue;
        best = static_cast<int>(worker);
        least = link.in_flight.size();
        if (least == 0) break;
    }
    if (best != kNoWorker) rotation_ = static_cast<unsigned>(best) + 1;
    return best;
}

int RingTransport::fewest_bound() {
    int best = kNoWorker;
    for (size_t worker = 0; worker < links_.size(); ++worker) {
        const Link& link = links_[worker];
        if (link.state != State::kReady) continue;
        if (best == kNoWorker || link.bound < links_[static_cast<size_t>(best)].bound)
            best = static_cast<int>(worker);
    }
    return best;
}

bool RingTransport::is_ready(int worker) const {
    return worker >= 0 && links_[static_cast<size_t>(worker)].state == State::kReady;
}

bool RingTransport::accepts(int worker, size_t inline_bytes) {
    // While messages of a dead worker look for a new one, nothing may overtake them.
    return orphans_.empty() && is_ready(worker) &&
           links_[static_cast<size_t>(worker)].in.has_room(sizeof(InboundRecord) + inline_bytes);
}

void RingTransport::deliver(int worker, const Inbound& message, Room room) {
    Link& link = links_[static_cast<size_t>(worker)];
    bool slot = static_cast<bool>(room);
    uint32_t page = kNoPage;
    if (slot) {
        page = static_cast<uint32_t>(static_cast<size_t>(room.data - kPayloadOffset - arena_data_) /
                                     PageArena::kPageSize);
        lent_to_[page] = static_cast<int16_t>(worker);
    }
    size_t bytes = inbound_record_bytes(message, slot);
    char* place = link.in.reserve(bytes);
    assert(place && "accepts() was asked first");
    write_inbound(place, message, slot, page);
    uint64_t end = link.in.position();
    link.in_flight.push_back({end - round_record(bytes), end, message.connection, message.request, page,
                              static_cast<uint32_t>(message.payload.size()), message.kind});
}

bool RingTransport::take_back(int worker, uint64_t page) {
    if (page >= lent_to_.size() || lent_to_[page] != worker) return false;
    lent_to_[page] = kReactorOwns;
    return arena_.free(page * PageArena::kPageSize);
}

void RingTransport::mark_corrupt(int worker, TransportEvents& events) {
    links_[static_cast<size_t>(worker)].state = State::kCorrupt;
    events.on_corrupt(worker);
}

void RingTransport::pump_commands(int worker, TransportEvents& events) {
    bool valid = links_[static_cast<size_t>(worker)].commands.pump(
        [&](const DecodedCommand& decoded, Ref<Payload> payload) {
            if (decoded.command.kind == CommandKind::kRelease) return take_back(worker, decoded.slot_offset);
            events.on_command(worker, decoded.command, std::move(payload));
            return true;
        });
    if (!valid) mark_corrupt(worker, events);
}

void RingTransport::pop_finished(int worker, TransportEvents& events) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (link.in_flight.empty()) return;
    uint64_t finished = link.in.consumed();
    while (!link.in_flight.empty() && link.in_flight.front().end <= finished) {
        ConnectionId id = link.in_flight.front().connection;
        link.in_flight.pop_front();
        events.on_finished(id);
    }
}

void RingTransport::place_orphans(TransportEvents& events) {
    while (!orphans_.empty()) {
        Orphan& orphan = orphans_.front();
        int worker = events.worker_for_moved(orphan.kind, orphan.connection);
        if (worker == kNoWorker) return;
        if (worker == kNoConnectionLeft) {
            if (orphan.slot_page != kNoPage) arena_.free(size_t{orphan.slot_page} * PageArena::kPageSize);
            orphans_.pop_front();
            continue;
        }
        Link& link = links_[static_cast<size_t>(worker)];
        if (!link.in.has_room(orphan.record_bytes)) return;
        char* place = link.in.reserve(orphan.record_bytes);
        memcpy(place, orphan.record.data(), orphan.record_bytes);
        uint64_t end = link.in.position();
        if (orphan.slot_page != kNoPage) lent_to_[orphan.slot_page] = static_cast<int16_t>(worker);
        link.in_flight.push_back({end - round_record(orphan.record_bytes), end, orphan.connection,
                                  orphan.request, orphan.slot_page, orphan.payload_bytes, orphan.kind});
        orphans_.pop_front();
    }
}

void RingTransport::poll(TransportEvents& events) {
    for (size_t worker = 0; worker < links_.size(); ++worker) {
        State state = links_[worker].state;
        if (state != State::kReady && state != State::kDraining) continue;
        pump_commands(static_cast<int>(worker), events);
        if (links_[worker].state == State::kCorrupt) continue;
        pop_finished(static_cast<int>(worker), events);
        if (links_[worker].in.corrupt()) mark_corrupt(static_cast<int>(worker), events);
    }
    if (!orphans_.empty()) place_orphans(events);
}

bool RingTransport::pending() const {
    for (const Link& link : links_) {
        if ((link.state == State::kReady || link.state == State::kDraining) && !link.commands.empty())
            return true;
    }
    return false;
}

void RingTransport::flush() {
    for (size_t worker = 0; worker < links_.size(); ++worker) {
        Link& link = links_[worker];
        if ((link.state != State::kReady && link.state != State::kDraining) || !link.in.has_uncommitted())
            continue;
        link.in.commit();
        Doorbell::ring_if_asleep(layout_.worker(static_cast<unsigned>(worker)).sleeping, link.doorbell);
    }
}

}  // namespace sluice
