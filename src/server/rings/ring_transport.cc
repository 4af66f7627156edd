#include "server/rings/ring_transport.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "core/log.h"
#include "io/doorbell.h"

namespace sluice {

namespace {
/// Payloads of slow clients that are moved in one turn: so few that the turn is over before anybody notices.
constexpr size_t kMovedBytesPerTurn = 4u << 20;
/// How often to look for room for messages of a dead worker: no doorbell rings for it.
constexpr int kOrphanRetryMs = 1;

/// Whether a flag that another process may have written holds 0 or 1.
bool is_flag(const bool& flag) {
    uint8_t byte;
    memcpy(&byte, &flag, sizeof byte);
    return byte <= 1;
}

/// Whether a message that was parked has begun since then. The worker may write there at any time, so this
/// is read once.
bool has_begun(const char* parked_record) {
    RecordHeader record;
    memcpy(&record, parked_record, sizeof record);
    return record.size == kBegunRecord;
}

/// Whether all values of a request's head are valid, and everything that the head names stands in its text.
bool head_makes_sense(const Inbound& message) {
    if (!message.head()) return true;
    const size_t size = message.head()->text.size();
    auto inside = [size](http::Span16 span) { return size_t{span.offset} + span.length <= size; };
    const http::RequestHead& head = *message.head()->parsed;
    if (head.method > http::Method::kOther || !is_flag(head.chunked) || !is_flag(head.keep_alive) ||
        !is_flag(head.has_body) || !is_flag(head.expect_continue) || !is_flag(head.upgrade_websocket)) {
        return false;
    }
    if (!inside(head.method_text) || !inside(head.target) || !inside(head.path) || !inside(head.query) ||
        !inside(head.host)) {
        return false;
    }
    for (const http::Field& field : message.head()->fields) {
        if (!inside(field.name) || !inside(field.value)) return false;
    }
    return true;
}
}  // namespace

RingTransport::RingTransport(const SharedLayout& layout, unsigned reactor, std::vector<int> worker_doorbells,
                             size_t most_held, uint64_t (*now_ms)())
    : layout_(layout),
      reactor_(reactor),
      links_(worker_doorbells.size()),
      arena_(layout.shape().arena_bytes),
      arena_data_(layout.arena(reactor).data()),
      lent_to_(layout.shape().arena_bytes / PageArena::kPageSize, kReactorOwns),
      awaited_(worker_doorbells.size()),
      most_held_(most_held),
      now_ms_(now_ms) {
    for (size_t i = 0; i < links_.size(); ++i)
        links_[i].doorbell = worker_doorbells[i];
}

void RingTransport::worker_ready(int worker, FdChannel files, WorkerTakes takes) {
    Link& link = links_[static_cast<size_t>(worker)];
    unsigned slot = static_cast<unsigned>(worker);
    link.in = layout_.in_producer(reactor_, slot);
    link.commands =
        CommandInlet(layout_.out_consumer(slot, reactor_), layout_.out_arena(slot), std::move(files));
    link.in_flight = InFlightTable(most_held_, most_held_ / layout_.shape().reactors);
    link.files_sent = 0;
    link.seen_taken = link.seen_finished = link.awaited = 0;
    link.queue_limit = {};
    link.state = takes == WorkerTakes::kMessages ? State::kReady
                 : takes == WorkerTakes::kShare  ? State::kCanary
                                                 : State::kDraining;
    ask_for_orphans();
}

void RingTransport::worker_draining(int worker) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (is_ready(worker)) link.state = State::kDraining;
    nobody_takes_orphans_ = true;  // messages that waited for this worker are for another one now
    ask_for_orphans();
}

void RingTransport::worker_gone(int worker, TransportEvents& events) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (link.state == State::kAbsent) {  // died before it was ready, but may have left commands
        layout_.reset_rings(reactor_, static_cast<unsigned>(worker));
        return;
    }
    if (link.state != State::kCorrupt) {
        link.commands.say_the_rest();
        // Every command from before the death counts. Bounded, for a child that the worker has forked may go
        // on writing.
        for (size_t said = 0; said < layout_.shape().ring_bytes && !link.commands.empty();
             said += sizeof(NoteRecord)) {
            pump_commands(worker, events);
            if (link.state == State::kCorrupt) break;
        }
        if (link.state != State::kCorrupt) pop_finished(worker, link.in.consumed(), events);
    }
    const std::vector<InFlight> messages = link.in_flight.take_all();
    std::vector<std::optional<Orphan>> copies(messages.size());
    if (link.state != State::kCorrupt && !copy_unbegun(worker, messages, copies))
        mark_corrupt(worker, events);
    // Whoever has lied once may have written over any other message, too.
    const bool is_believed = link.state != State::kCorrupt;
    link.state = State::kAbsent;
    std::vector<Orphan> orphans;
    for (size_t i = 0; i < messages.size(); ++i) {
        const InFlight& message = messages[i];
        if (!is_believed || !copies[i]) {
            events.on_lost(worker, message.kind, message.connection, message.request);
            continue;
        }
        if (message.extent_page != kNoPage) lent_to_[message.extent_page] = kReactorOwns;
        if (message.file != kNoFile) copies[i]->file = link.files[message.file];
        orphans.push_back(std::move(*copies[i]));
    }
    // Messages in the ring were delivered before the messages that still look for a worker.
    orphans_.insert(orphans_.begin(), std::make_move_iterator(orphans.begin()),
                    std::make_move_iterator(orphans.end()));
    nobody_takes_orphans_ = true;  // nobody has been asked yet
    ask_for_orphans();
    for (size_t page = 0; page < lent_to_.size(); ++page) {
        if (lent_to_[page] == worker) take_back(worker, page);
    }
    link.files.clear();
    link.commands.detach();
    layout_.reset_rings(reactor_, static_cast<unsigned>(worker));
    link.in = {};
    link.awaited = 0;
}

/// Copies each message that a dead worker had not begun; those that it had begun stay empty. False when
/// something cannot be what an honest worker leaves behind.
bool RingTransport::copy_unbegun(int worker, const std::vector<InFlight>& messages,
                                 std::vector<std::optional<Orphan>>& copies) const {
    const Link& link = links_[static_cast<size_t>(worker)];
    const RingProducer& in = link.in;
    const uint64_t taken = in.taken();
    if (in.consumed() > taken || taken > in.position() || taken < link.seen_taken) return false;
    // An extent that was released is lent again: then it belongs to the later message alone.
    std::unordered_map<uint32_t, uint64_t> last_end;
    for (const InFlight& message : messages)
        last_end[message.extent_page] = message.end;
    for (size_t i = 0; i < messages.size(); ++i) {
        const InFlight& message = messages[i];
        const char* place = nullptr;
        if (message.held) {
            if (message.parked == InFlight::kNowhere) continue;
            place = parked_place(worker, message);
            if (place && has_begun(place)) continue;
        } else {
            if (message.end <= taken) continue;
            place = in.at(message.begin);
        }
        const bool owns_extent =
            message.extent_page == kNoPage || last_end[message.extent_page] == message.end;
        if (!place || !owns_extent || !has_its_payload(worker, message) ||
            !copy_untouched(place, message, copies[i].emplace())) {
            return false;
        }
    }
    return true;
}

/// Where the record of a message stands that was parked; nullptr when there is no such place.
const char* RingTransport::parked_place(int worker, const InFlight& message) const {
    const std::span<char> parked = layout_.parked_arena(static_cast<unsigned>(worker));
    const uint64_t bytes = message.end - message.begin;
    if (message.parked % PageArena::kPageSize != 0 || bytes > parked.size() ||
        message.parked > parked.size() - bytes) {
        return nullptr;
    }
    return parked.data() + message.parked;
}

/// Whether the payload of an unbegun message is still the worker's: a lying one may have given it back.
bool RingTransport::has_its_payload(int worker, const InFlight& message) const {
    const Link& link = links_[static_cast<size_t>(worker)];
    return (message.extent_page == kNoPage || lent_to_[message.extent_page] == worker) &&
           (message.file == kNoFile || link.files.contains(message.file));
}

/// Copies a record out of memory that the worker could write to. What `message` knows is taken from there and
/// the rest is checked, for the next worker believes its reactor. False when the record cannot be what was
/// delivered.
bool RingTransport::copy_untouched(const char* place, const InFlight& message, Orphan& orphan) {
    const bool extent = message.extent_page != kNoPage;
    const bool file = message.file != kNoFile;
    InboundRecord record;
    memcpy(&record, place, sizeof record);
    const size_t bytes = record.record.size;
    if (bytes < sizeof record || round_record(bytes) != message.end - message.begin) return false;
    const uint16_t flags =
        static_cast<uint16_t>((record.record.flags & (kFlagBinary | kFlagHead | kFlagPipelined)) |
                              (message.secure ? kFlagSecure : 0) | (message.trusted ? kFlagTrusted : 0));
    record.record = {static_cast<uint32_t>(bytes), static_cast<uint16_t>(message.kind),
                     static_cast<uint16_t>(flags | (extent ? kFlagExtent : 0) | (file ? kFlagFile : 0))};
    record.connection = message.connection;
    if (message.kind == InboundKind::kRequest) record.request = message.request;
    record.endpoint = message.endpoint;
    record.payload_bytes = message.payload_bytes;
    record.extent_page = message.extent_page;
    record.client = message.client;
    orphan.record.resize((bytes + 7) / 8);
    char* copy = reinterpret_cast<char*>(orphan.record.data());
    memcpy(copy, &record, sizeof record);
    memcpy(copy + sizeof record, place + sizeof record, bytes - sizeof record);
    const auto decoded = read_inbound({copy, bytes}, static_cast<uint16_t>(message.kind));
    if (!decoded || !head_makes_sense(decoded->message)) return false;
    orphan.record_bytes = bytes;
    orphan.extent_page = message.extent_page;
    orphan.payload_bytes = message.payload_bytes;
    orphan.kind = message.kind;
    orphan.connection = message.connection;
    orphan.request = message.request;
    orphan.endpoint = message.endpoint;
    orphan.secure = message.secure;
    orphan.trusted = message.trusted;
    orphan.client = message.client;
    return true;
}

Room RingTransport::allocate(size_t bytes, const ArenaClaim& claim) {
    size_t offset = arena_.allocate(kPayloadOffset + bytes + kPayloadTail, claim);
    return offset == PageArena::kNone ? Room{} : room_at(offset);
}

Room RingTransport::room_at(size_t offset) const {
    return {arena_data_ + offset + kPayloadOffset, arena_.size_at(offset) - kPayloadOffset - kPayloadTail};
}

size_t RingTransport::offset_of(Room room) const {
    return static_cast<size_t>(room.data - kPayloadOffset - arena_data_);
}

bool RingTransport::extend(Room& room, size_t bytes, bool is_whole) {
    const size_t offset = offset_of(room);
    if (!arena_.extend(offset, kPayloadOffset + bytes + kPayloadTail, is_whole)) return false;
    room = room_at(offset);
    return true;
}

void RingTransport::free(Room room) {
    [[maybe_unused]] bool known = arena_.free(offset_of(room));
    assert(known && "room that was allocated here");
}

int RingTransport::least_busy(State state) const {
    // Beginning behind the worker that had the last message spreads the load when all are equally busy.
    // Asking changes nothing: a session asks once before it reads and once when it delivers.
    int best = kNoWorker;
    std::pair<bool, size_t> least;
    size_t count = links_.size();
    for (size_t i = 0; i < count; ++i) {
        size_t worker = (i + rotation_) % count;
        const Link& link = links_[worker];
        if (link.state != state) continue;
        // One that is held up by a call may have few messages.
        const bool is_slow = link.in_flight.has_unbegun(link.queue_limit.most_requests(), link.seen_taken);
        const std::pair<bool, size_t> load{is_slow, link.in_flight.size()};
        if (best != kNoWorker && load >= least) continue;
        best = static_cast<int>(worker);
        least = load;
        if (load.second == 0) break;
    }
    return best;
}

int RingTransport::worker_for_request(uint64_t client) {
    if (canary_due_ >= 1) {
        const int worker = least_busy(State::kCanary);
        // Nobody waits for a canary: it may be stuck. Room for any request, or one could still wait.
        if (worker != kNoWorker && accepts(worker, client, kMostBytesAhead / 2) &&
            !has_backlog(links_[static_cast<size_t>(worker)], kMostBytesAhead / 2, kMostContended))
            return worker;
    }
    return least_busy();
}

bool RingTransport::gave_request(int worker) {
    if (canary_share_ <= 0) return false;
    // Bounded: what a canary had no room for is not made up for later.
    canary_due_ = std::min(canary_due_ + canary_share_, 2.0);
    if (is_canary(worker)) canary_due_ -= 1;
    return true;
}

void RingTransport::set_canary_share(double share) {
    canary_share_ = share;
    canary_due_ = 0;
}

void RingTransport::end_canary() {
    set_canary_share(0);
    for (Link& link : links_)
        if (link.state == State::kCanary) link.state = State::kReady;
    ask_for_orphans();
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
    if (worker < 0) return false;
    const State state = links_[static_cast<size_t>(worker)].state;
    return state == State::kReady || state == State::kCanary;
}

/// While messages of a dead worker wait for this one, nothing may overtake them.
bool RingTransport::is_awaited_by_orphans(int worker) const {
    return !orphans_.empty() && (nobody_takes_orphans_ || awaited_[static_cast<size_t>(worker)]);
}

bool RingTransport::has_room_for(Link& link, uint64_t client, size_t inline_bytes) const {
    return link.in.has_room(sizeof(InboundRecord) + inline_bytes) &&
           !has_backlog(link, inline_bytes, SIZE_MAX) &&
           (link.in_flight.has_places() || link.in_flight.has_place_for(client, link.in.taken()));
}

bool RingTransport::accepts(int worker, uint64_t client, size_t inline_bytes) {
    if (!is_ready(worker) || is_awaited_by_orphans(worker)) return false;
    if (has_room_for(links_[static_cast<size_t>(worker)], client, inline_bytes)) return true;
    await_progress(worker);
    return false;
}

bool RingTransport::takes_requests(bool is_contended) {
    const int worker = worker_for_request(kStranger);
    if (worker == kNoWorker || is_awaited_by_orphans(worker)) return false;
    Link& link = links_[static_cast<size_t>(worker)];
    return has_room_for(link, kStranger, kSmallRequestBytes) &&
           !has_backlog(link, kSmallRequestBytes, link.queue_limit.most_requests(is_contended));
}

bool RingTransport::takes_messages(int worker) {
    if (!is_ready(worker) || is_awaited_by_orphans(worker)) return false;
    Link& link = links_[static_cast<size_t>(worker)];
    return has_room_for(link, kStranger, kSmallRequestBytes) &&
           !has_backlog(link, kSmallRequestBytes, link.queue_limit.most_messages());
}

bool RingTransport::accepts_message(int worker, uint64_t client, size_t inline_bytes) {
    if (!accepts(worker, client, inline_bytes)) return false;
    Link& link = links_[static_cast<size_t>(worker)];
    if (!is_later(link, inline_bytes, link.queue_limit.most_messages())) return true;
    await_progress(worker);
    return false;
}

bool RingTransport::accepts_request(int worker, uint64_t client, size_t inline_bytes, bool is_contended) {
    if (!accepts(worker, client, inline_bytes)) return false;
    Link& link = links_[static_cast<size_t>(worker)];
    if (!is_later(link, inline_bytes, link.queue_limit.most_requests(is_contended))) return true;
    await_progress(worker);
    return false;
}

void RingTransport::await_progress(int worker) {
    Link& link = links_[static_cast<size_t>(worker)];
    link.awaited = link.in_flight.middle_behind(link.in.taken());
}

/// Whether the worker has not begun so many messages, or kMostBytesAhead with these bytes. Its position is
/// read only when the last one seen does not do: reading it costs more than all else here.
bool RingTransport::has_backlog(Link& link, size_t inline_bytes, size_t most_messages) const {
    // Whoever spares room for others asks for more than he needs.
    const uint64_t end = link.in.position() + std::min(inline_bytes, kMostBytesAhead / 2);
    const auto is_ahead = [&] {
        return end - std::min(link.seen_taken, end) > kMostBytesAhead ||
               link.in_flight.has_unbegun(most_messages, link.seen_taken);
    };
    if (!is_ahead()) return false;
    link.seen_taken = std::max(link.seen_taken, link.in.taken());
    return is_ahead();
}

/// Whether it has to wait for its turn.
bool RingTransport::is_later(Link& link, size_t inline_bytes, size_t most_messages) const {
    if (!has_backlog(link, inline_bytes, most_messages)) return false;
    link.queue_limit.refused();
    return true;
}

void RingTransport::measure(Link& link) const {
    if (link.in_flight.has_unbegun(1, link.seen_taken)) {
        link.queue_limit.busy(link.in_flight.begun(link.seen_taken), now_ms_());
    } else {
        link.queue_limit.idle();
    }
}

void RingTransport::await_room() {
    for (Link& link : links_)
        if (link.awaited) link.in.await_taken(link.awaited);
}

/// False when too many descriptors wait for the worker, or it is gone.
bool RingTransport::lend_file(Link& link, const Ref<RequestFile>& file, uint64_t& number) {
    number = link.files_sent;
    if (!link.commands.send_file(number, file->fd())) return false;
    ++link.files_sent;
    link.files.emplace(number, file);
    return true;
}

bool RingTransport::deliver_file(int worker, const Inbound& message, Ref<RequestFile> file) {
    Link& link = links_[static_cast<size_t>(worker)];
    Inbound with_place = message;
    inbound::BodyFile& place = std::get<inbound::Request>(with_place.what).file;
    if (!lend_file(link, file, place.number)) return false;
    place.bytes = file->bytes();
    deliver(worker, with_place, {});
    return true;
}

void RingTransport::deliver(int worker, const Inbound& message, Room room) {
    Link& link = links_[static_cast<size_t>(worker)];
    bool extent = static_cast<bool>(room);
    uint32_t page = kNoPage;
    if (extent) {
        page = static_cast<uint32_t>(offset_of(room) / PageArena::kPageSize);
        arena_.settle(offset_of(room));
        lent_to_[page] = static_cast<int16_t>(worker);
    }
    rotation_ = static_cast<unsigned>(worker) + 1;
    size_t bytes = inbound_record_bytes(message, extent);
    char* place = link.in.reserve(bytes);
    assert(place && "accepts() was asked first");
    write_inbound(place, message, extent, page);
    const uint64_t end = link.in.position();
    const auto* request = message.as<inbound::Request>();
    const inbound::BodyFile* file = message.file();
    link.in_flight.add({end - round_record(bytes), end, message.connection, request ? request->number : 0,
                        page, static_cast<uint32_t>(file ? sizeof(BodyPlace) : message.payload.size()),
                        message.kind(), message.endpoint, message.secure, message.trusted,
                        file ? file->number : kNoFile, message.client});
}

bool RingTransport::notify(int worker, const Inbound& message) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (!speaks(link.state)) return true;
    const size_t bytes = inbound_record_bytes(message, false);
    char* place = link.in.reserve(bytes);
    if (!place) return link.in.corrupt();
    write_inbound(place, message, false, kNoPage);
    const uint64_t end = link.in.position();
    // Without a connection: no connection is concerned when the message is lost.
    link.in_flight.add({end - round_record(bytes), end, kNoConnection, 0, kNoPage,
                        static_cast<uint32_t>(message.payload.size()), message.kind(), message.endpoint});
    return true;
}

bool RingTransport::take_back(int worker, uint64_t page) {
    if (page >= lent_to_.size() || lent_to_[page] != worker) return false;
    lent_to_[page] = kReactorOwns;
    return arena_.free(page * PageArena::kPageSize);
}

/// False when a position of the worker's has gone back - messages that it has handled would be handled again
/// - or says that it has finished what it has not begun: another worker would overtake it.
bool RingTransport::goes_on(Link& link, uint64_t finished) {
    const uint64_t taken = link.in.taken();
    if (taken < link.seen_taken || finished < link.seen_finished || finished > taken) return false;
    link.seen_taken = taken;
    link.seen_finished = finished;
    return true;
}

void RingTransport::mark_corrupt(int worker, TransportEvents& events) {
    links_[static_cast<size_t>(worker)].state = State::kCorrupt;
    events.on_corrupt(worker);
}

void RingTransport::pump_commands(int worker, TransportEvents& events) {
    bool valid = links_[static_cast<size_t>(worker)].commands.pump(
        [&](const Command& command, Ref<Payload> payload) {
            if (command.is<command::Tell>()) return false;  // nobody is told anything in process mode
            events.on_command(worker, command, std::move(payload));
            return true;
        },
        [&](const Note& note) { return hear(worker, note, events); });
    if (!valid) mark_corrupt(worker, events);
}

void RingTransport::pop_finished(int worker, uint64_t finished, TransportEvents& events) {
    links_[static_cast<size_t>(worker)].in_flight.pass(finished,
                                                       [&](ConnectionId id) { events.on_finished(id); });
}

/// Takes a note, which concerns this side's table and arena alone. False when the note cannot be true.
bool RingTransport::hear(int worker, const Note& note, TransportEvents& events) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (const auto* release = std::get_if<note::Release>(&note)) return take_back(worker, release->page);
    if (const auto* file = std::get_if<note::ReleaseFile>(&note)) return link.files.erase(file->number) == 1;
    if (const auto* hold = std::get_if<note::Hold>(&note))
        return link.in_flight.hold(hold->message_end, InFlight::kNowhere);
    if (const auto* parked = std::get_if<note::Park>(&note))
        return link.in_flight.hold(parked->message_end, parked->parked_offset);
    ConnectionId connection = kNoConnection;
    if (!link.in_flight.finish(std::get<note::Finished>(note).message_end, connection)) return false;
    events.on_finished(connection);
    return true;
}

/// Delivers each message of a dead worker as soon as its new worker has room. Messages of one connection go
/// to one worker, and keep their order.
void RingTransport::place_orphans(TransportEvents& events) {
    std::deque<Orphan> left;
    std::fill(awaited_.begin(), awaited_.end(), false);
    nobody_takes_orphans_ = ask_anew_ = false;
    for (Orphan& orphan : orphans_) {
        int worker = nobody_takes_orphans_
                         ? kNoWorker
                         : events.worker_for_moved(orphan.kind, orphan.connection, orphan.request);
        if (worker == kNoConnectionLeft) {
            if (orphan.extent_page != kNoPage) arena_.free(size_t{orphan.extent_page} * PageArena::kPageSize);
            continue;
        }
        if (worker == kNoWorker) {
            nobody_takes_orphans_ = true;
        } else if (awaited_[static_cast<size_t>(worker)] || !place_orphan(worker, orphan)) {
            awaited_[static_cast<size_t>(worker)] = true;
        } else {
            continue;
        }
        left.push_back(std::move(orphan));
    }
    orphans_ = std::move(left);
}

bool RingTransport::has_orphan(ConnectionId connection, uint32_t request) const {
    return std::any_of(orphans_.begin(), orphans_.end(), [&](const Orphan& orphan) {
        return orphan.connection == connection && orphan.kind == InboundKind::kRequest &&
               orphan.request == request;
    });
}

bool RingTransport::place_orphan(int worker, const Orphan& orphan) {
    Link& link = links_[static_cast<size_t>(worker)];
    if (!link.in.has_room(orphan.record_bytes)) return false;
    uint64_t file = kNoFile;
    if (orphan.file && !lend_file(link, orphan.file, file)) return false;
    char* place = link.in.reserve(orphan.record_bytes);
    memcpy(place, orphan.record.data(), orphan.record_bytes);
    if (orphan.file) {
        const BodyPlace body{file, orphan.file->bytes()};
        memcpy(place + orphan.record_bytes - sizeof body, &body, sizeof body);
    }
    uint64_t end = link.in.position();
    if (orphan.extent_page != kNoPage) lent_to_[orphan.extent_page] = static_cast<int16_t>(worker);
    link.in_flight.add({end - round_record(orphan.record_bytes), end, orphan.connection, orphan.request,
                        orphan.extent_page, orphan.payload_bytes, orphan.kind, orphan.endpoint, orphan.secure,
                        orphan.trusted, file, orphan.client});
    return true;
}

void RingTransport::poll(TransportEvents& events) {
    for (size_t worker = 0; worker < links_.size(); ++worker) {
        State state = links_[worker].state;
        if (!speaks(state)) continue;
        // Read before the commands: these then hold all that the worker sent before it finished a message.
        uint64_t finished = links_[worker].in.consumed();
        links_[worker].awaited = 0;
        if (!goes_on(links_[worker], finished)) {
            mark_corrupt(static_cast<int>(worker), events);
            continue;
        }
        measure(links_[worker]);
        pump_commands(static_cast<int>(worker), events);
        if (links_[worker].state == State::kCorrupt) continue;
        if (links_[worker].commands.empty()) pop_finished(static_cast<int>(worker), finished, events);
        if (links_[worker].in.corrupt()) mark_corrupt(static_cast<int>(worker), events);
    }
    if (!orphans_.empty()) place_orphans(events);
}

bool RingTransport::pending() const {
    if (ask_anew_) return true;
    for (const Link& link : links_) {
        if (!speaks(link.state)) continue;
        if (!link.commands.empty() || (link.awaited && link.in.taken() >= link.awaited)) return true;
    }
    return false;
}

void RingTransport::flush() {
    for (size_t worker = 0; worker < links_.size(); ++worker) {
        Link& link = links_[worker];
        if (!speaks(link.state) || !link.in.has_uncommitted()) continue;
        link.in.commit();
        Doorbell::ring_if_asleep(layout_.worker(static_cast<unsigned>(worker)).sleeping, link.doorbell);
    }
}

int RingTransport::relieve(uint64_t now_ms) {
    int again_ms = arena_.give_idle_back(arena_data_, now_ms);
    size_t budget = kMovedBytesPerTurn;
    for (Link& link : links_) {
        const int ms = link.commands.relieve(now_ms, budget);
        if (ms >= 0 && (again_ms < 0 || ms < again_ms)) again_ms = ms;
    }
    const bool is_room_awaited = std::find(awaited_.begin(), awaited_.end(), true) != awaited_.end();
    if (is_room_awaited && !orphans_.empty())
        again_ms = again_ms < 0 ? kOrphanRetryMs : std::min(again_ms, kOrphanRetryMs);
    return again_ms;
}

}  // namespace sluice
