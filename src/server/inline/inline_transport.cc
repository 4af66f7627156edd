#include "server/inline/inline_transport.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>

#include "core/clock.h"
#include "server/seam/records.h"

namespace sluice {

namespace {
/// Limit of queued messages: the reactor stops reading until the worker has caught up (back-pressure).
constexpr size_t kMostQueued = 1024;
constexpr size_t kMostSpare = 64;
}  // namespace

InlineTransport::InlineTransport(const SharedLayout& layout, unsigned slot, MessageAllocator& allocator,
                                 uint64_t most_bytes, size_t places)
    : layout_(layout),
      slot_(slot),
      allocator_(allocator),
      most_bytes_(most_bytes),
      places_(places),
      memory_(SharedMemory::create("sluice-messages", most_bytes)),
      arena_(memory_ ? most_bytes : 0) {
    for (unsigned peer = 0; peer < layout.shape().worker_slots; ++peer)
        peers_.emplace_back(layout.out_consumer(peer, slot), layout.out_arena(peer));
}

InlineTransport::~InlineTransport() {
    for (Entry& entry : queue_) {
        if (entry.payload) free(entry.payload);
    }
}

Room InlineTransport::allocate(size_t bytes, const ArenaClaim& claim) {
    if (used_bytes() + bytes > most_bytes_) return {};
    if (bytes >= kExtentThreshold) {
        size_t offset = arena_.allocate(kPayloadOffset + bytes + kPayloadTail, claim);
        if (offset == PageArena::kNone) return {};
        return {memory_.data() + offset + kPayloadOffset, bytes};
    }
    char* payload = allocator_.allocate(bytes);
    if (!payload) return {};
    small_bytes_ += bytes;
    return {payload, bytes};
}

bool InlineTransport::extend(Room& room, size_t bytes, bool is_whole) {
    const size_t more = bytes - std::min(bytes, room.size);
    if (used_bytes() + more > most_bytes_) return false;
    if (!arena_.extend(offset_of(room.data), kPayloadOffset + bytes + kPayloadTail, is_whole)) return false;
    room.size = bytes;
    return true;
}

void InlineTransport::free(Room room) {
    if (is_extent(room.data)) {
        release(room.data);
        return;
    }
    small_bytes_ -= room.size;
    allocator_.free(room.data);
}

bool InlineTransport::is_extent(const char* payload) const {
    return payload >= memory_.data() && payload < memory_.data() + memory_.size();
}

void InlineTransport::release(const char* payload) {
    arena_.free(offset_of(payload));
}

size_t InlineTransport::offset_of(const char* payload) const {
    return static_cast<size_t>(payload - kPayloadOffset - memory_.data());
}

bool InlineTransport::has_room_for(uint64_t client, size_t inline_bytes) const {
    const size_t queued = queue_.size();
    return queued < kMostQueued && used_bytes() + inline_bytes <= most_bytes_ &&
           has_place_for(places_, client, queued, queued);
}

bool InlineTransport::takes(size_t most_messages) const {
    return queue_.size() < most_messages && has_room_for(kStranger, kSmallRequestBytes) &&
           allocator_.has_room(kSmallRequestBytes);
}

bool InlineTransport::accepts(int, uint64_t client, size_t inline_bytes) {
    if (!has_room_for(client, inline_bytes)) return false;
    refused_by_allocator_ = !allocator_.has_room(inline_bytes);
    return !refused_by_allocator_;
}

bool InlineTransport::accepts_message(int worker, uint64_t client, size_t inline_bytes) {
    if (!is_later(queue_limit_.most_messages())) return accepts(worker, client, inline_bytes);
    await_turn();
    return false;
}

bool InlineTransport::accepts_request(int worker, uint64_t client, size_t inline_bytes, bool is_contended) {
    if (is_later(queue_limit_.most_requests(is_contended))) {
        await_turn();
        return false;
    }
    return accepts(worker, client, inline_bytes);
}

/// Others may be accepted after one that waits.
void InlineTransport::await_turn() {
    is_awaited_ = true;
    awaited_at_ = taken_;
}

/// Whether it has to wait for its turn.
bool InlineTransport::is_later(size_t most_messages) {
    if (queue_.size() < most_messages) return false;
    queue_limit_.refused();
    return true;
}

void InlineTransport::deliver(int, const Inbound& message, Room room) {
    if (spare_.empty()) spare_.emplace_back();
    queue_.splice(queue_.end(), spare_, spare_.begin());
    has_queued();
    Entry& entry = queue_.back();
    entry.head.clear();
    entry.message = message;
    if (message.is_notice()) ++notices_;
    entry.payload = room;
    if (room && is_extent(room.data)) arena_.settle(offset_of(room.data));
    if (message.head()) {
        // The head stands in the reactor's scratch buffer: copy it, in the format of a ring's record.
        Inbound head = message;
        head.payload = {};
        if (auto* request = std::get_if<inbound::Request>(&head.what)) request->file = {};
        size_t bytes = inbound_record_bytes(head, false);
        entry.head.resize((bytes + 7) / 8);
        write_inbound(reinterpret_cast<char*>(entry.head.data()), head, false, 0);
        auto decoded = read_inbound({reinterpret_cast<char*>(entry.head.data()), bytes},
                                    static_cast<uint16_t>(message.kind()));
        entry.message.move_head(decoded->message);
    }
    if (!room && !message.payload.empty()) {
        entry.payload = allocate(message.payload.size());
        memcpy(entry.payload.data, message.payload.data(), message.payload.size());
    }
    entry.message.payload = {entry.payload.data, message.payload.size()};
    entry.message.home = !entry.payload                  ? PayloadHome::kBorrowed
                         : is_extent(entry.payload.data) ? PayloadHome::kExtent
                                                         : PayloadHome::kString;
}

bool InlineTransport::deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) {
    Inbound with_place = message;
    inbound::BodyFile& place = std::get<inbound::Request>(with_place.what).file;
    place.number = files_lent_++;
    place.bytes = file->bytes();
    files_.emplace(place.number, std::move(file));
    deliver(worker, with_place, {});
    return true;
}

bool InlineTransport::notify(int worker, const Inbound& message) {
    if (worker == 0) {
        queue_notice(message);
        return true;
    }
    const auto* answer = message.as<inbound::Answer>();
    if (!answer) return true;  // the handler is in this process: it needs no answer
    return tell_peer(
        static_cast<unsigned>(worker - 1),
        {.what = command::Tell{answer->question, answer->more_follow}, .payload = message.payload});
}

/// Stores the payload where other messages have their head: a notice must not wait for the allocator.
void InlineTransport::queue_notice(const Inbound& message) {
    if (spare_.empty()) spare_.emplace_back();
    queue_.splice(queue_.end(), spare_, spare_.begin());
    has_queued();
    Entry& entry = queue_.back();
    entry.message = message;
    if (message.is_notice()) ++notices_;
    entry.message.home = PayloadHome::kBorrowed;
    entry.payload = {};
    entry.head.resize((message.payload.size() + 7) / 8);
    if (message.payload.empty()) return;
    memcpy(entry.head.data(), message.payload.data(), message.payload.size());
    entry.message.payload = {reinterpret_cast<char*>(entry.head.data()), message.payload.size()};
}

void InlineTransport::has_queued() {
    has_new_ = true;
    passed_over_ = false;
}

InlineTransport::Entry* InlineTransport::take() {
    passed_over_ = false;
    return queue_.empty() ? nullptr : open(queue_.begin());
}

InlineTransport::Entry* InlineTransport::take_notice(bool (*is_wanted)(const Inbound&)) {
    for (auto place = queue_.begin(); notices_ > 0 && place != queue_.end(); ++place)
        if (place->message.is_notice() && is_wanted(place->message)) return open(place);
    passed_over_ = true;
    return nullptr;
}

InlineTransport::Entry* InlineTransport::open(std::list<Entry>::iterator place) {
    if (place->message.is_notice()) --notices_;
    ++taken_;
    open_.splice(open_.end(), queue_, place);
    Entry& entry = open_.back();
    entry.place = std::prev(open_.end());
    if (entry.message.home == PayloadHome::kString) small_bytes_ -= entry.payload.size;
    entry.payload = {};
    if (entry.message.file()) {
        inbound::BodyFile& file = std::get<inbound::Request>(entry.message.what).file;
        file.fd = fcntl(files_[file.number]->fd(), F_DUPFD_CLOEXEC, 0);
    }
    entry.message.ticket = reinterpret_cast<uint64_t>(&entry);
    return &entry;
}

void InlineTransport::hold(Entry* entry) {
    if (entry->is_held) return;
    entry->is_held = true;
    places_.charge(entry->message.client, 1);
}

void InlineTransport::finished(Entry* entry) {
    if (entry->is_held) places_.give_back(entry->message.client);
    entry->is_held = false;
    if (spare_.size() < kMostSpare) {
        spare_.splice(spare_.end(), open_, entry->place);
    } else {
        open_.erase(entry->place);
    }
}

void InlineTransport::poll(TransportEvents& events) {
    is_awaited_ = false;
    if (queue_.empty()) {
        queue_limit_.idle();
    } else {
        queue_limit_.busy(taken_, monotonic_ms());
    }
    for (unsigned peer = 0; peer < peers_.size(); ++peer) {
        if (peer == slot_ || peers_[peer].empty()) continue;
        // A peer that writes invalid records cannot be killed from here; its further commands are ignored.
        peers_[peer].pump(
            [&](const Command& command, Ref<Payload> payload) {
                if (const auto* tell = command.as<command::Tell>()) {
                    hear_answer(peer, *tell, command.payload);
                    return true;
                }
                // Copy kept bytes at once: this process does not learn when the peer dies and its memory is
                // reused.
                Command own = command;
                if (payload) {
                    payload = HeapPayload::copy_of({}, command.payload);
                    own.payload = {payload->data(), payload->size()};
                }
                events.on_command(static_cast<int>(peer) + 1, own, std::move(payload));
                return true;
            },
            [](const Note&) { return false; });
    }
    answer_for_the_dead();
}

void InlineTransport::expect_answer(unsigned peer, uint32_t question, uint32_t life) {
    expected_.push_back({peer, question, life});
}

/// Ignores an answer that nobody has asked for.
void InlineTransport::hear_answer(unsigned peer, const command::Tell& answer, std::string_view payload) {
    const auto asked = std::find_if(expected_.begin(), expected_.end(), [&](const Expected& one) {
        return one.peer == peer && one.question == answer.question;
    });
    if (asked == expected_.end()) return;
    if (!answer.more_follow) expected_.erase(asked);
    queue_notice({.what = inbound::Answer{answer.question, answer.more_follow}, .payload = payload});
}

void InlineTransport::answer_for_the_dead() {
    std::erase_if(expected_, [this](const Expected& one) {
        if (layout_.worker(one.peer).lives.load(std::memory_order_acquire) == one.life) return false;
        queue_notice({.what = inbound::Answer{one.question, false}});
        return true;
    });
}

bool InlineTransport::pending() const {
    if (has_new_ || (is_awaited_ && taken_ != awaited_at_)) return true;
    for (unsigned peer = 0; peer < peers_.size(); ++peer) {
        if (peer != slot_ && !peers_[peer].empty()) return true;
    }
    return false;
}

}  // namespace sluice
