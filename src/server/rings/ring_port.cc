#include "server/rings/ring_port.h"

#include <algorithm>
#include <cstring>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/wire.h"
#include "io/doorbell.h"
#include "server/seam/control.h"

namespace sluice {

namespace {
/// How long a command waits for room before it is dropped.
constexpr uint64_t kSubmitWaitMs = 1000;
/// A body that does not go into the out-arena at once is sent in parts of this size.
constexpr size_t kPartBytes = 1u << 20;
/// The first byte of a ticket is the reactor, the rest the end of the record in that reactor's ring.
constexpr unsigned kTicketShift = 56;
constexpr uint64_t kEndMask = (uint64_t{1} << kTicketShift) - 1;
/// Messages whose handlers wait leave the ring when they and what is behind them take up this part of it.
constexpr size_t kCrowdedPart = 4;

constexpr uint64_t kDoorbellToken = 0;
constexpr uint64_t kMasterToken = 1;
constexpr uint64_t kFdToken = 2;  // + fd
/// While the worker ends there is nothing to take, so nothing else ends a wait that has no limit.
constexpr int kStoppingWaitMs = 10;

void nap() {
    timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
}
}  // namespace

RingPort::RingPort(SharedLayout layout, unsigned slot, const Limits& limits, int doorbell,
                   std::vector<int> reactor_doorbells, ControlChannel control, std::vector<FdChannel> files)
    : PortBase(own_layout_, slot, limits),
      own_layout_(std::move(layout)),
      doorbell_(doorbell),
      reactor_doorbells_(std::move(reactor_doorbells)),
      control_(std::move(control)),
      out_(own_layout_.shape().out_bytes) {
    for (unsigned reactor = 0; reactor < reactor_doorbells_.size(); ++reactor) {
        Link link;
        link.in = own_layout_.in_consumer(reactor, slot);
        link.ahead = link.in;
        link.out = own_layout_.out_producer(slot, reactor);
        if (reactor < files.size()) link.files = std::move(files[reactor]);
        links_.push_back(std::move(link));
    }
    poller_.add(doorbell_, EPOLLIN, kDoorbellToken);
    poller_.add(control_.fd(), EPOLLIN, kMasterToken);
}

void RingPort::ready() {
    WireWriter said;
    said.put(Control::kReady);
    said.put(static_cast<int32_t>(getpid()));
    control_.send(said.bytes());
}

void RingPort::request_reload() {
    char said = static_cast<char>(Control::kWantReload);
    control_.send({&said, 1});
}

void RingPort::request_stop() {
    char said = static_cast<char>(Control::kWantStop);
    control_.send({&said, 1});
}

bool RingPort::stopping() const {
    return stop_;
}

bool RingPort::take(Inbound& message) {
    if (stopping()) return false;
    for (unsigned tried = 0; tried < links_.size(); ++tried) {
        unsigned reactor = next_link_;
        next_link_ = next_link_ + 1 == links_.size() ? 0 : next_link_ + 1;
        Link& link = links_[reactor];
        uint16_t kind = 0;
        std::span<char> record = link.in.take(kind);
        if (record.empty()) continue;
        std::optional<DecodedInbound> decoded = read_inbound(record, kind);
        if (!decoded) {
            SLUICE_ERROR("a message from reactor %u does not make sense; this worker ends", reactor);
            stop_ = true;
            return false;
        }
        if (decoded->message.file_bytes && !take_file(link, decoded->message)) {
            SLUICE_ERROR("a body's file from reactor %u does not make sense; this worker ends", reactor);
            stop_ = true;
            return false;
        }
        link.in.publish_taken();
        if (pass_notice(reactor)) {
            // It takes nobody's turn.
            next_link_ = reactor;
            --tried;
            continue;
        }
        message = decoded->message;
        if (decoded->slot) {
            message.home = PayloadHome::kSlot;
            message.payload = {own_layout_.arena(reactor).data() +
                                   size_t{decoded->slot_page} * PageArena::kPageSize + kPayloadOffset,
                               decoded->payload_bytes};
        }
        message.ticket = (uint64_t{reactor} << kTicketShift) | link.in.position();
        link.open.push_back({link.in.position(), Open::State::kBegun});
        return true;
    }
    return false;
}

RingPort::Link& RingPort::link_of(const Inbound& message) {
    return links_[message.ticket >> kTicketShift];
}

/// nullptr when it has left the ring.
RingPort::Open* RingPort::find_open(Link& link, uint64_t end) {
    if (end <= link.freed) return nullptr;
    if (link.open.front().end == end) return &link.open.front();
    return &*std::lower_bound(link.open.begin(), link.open.end(), end,
                              [](const Open& one, uint64_t end) { return one.end < end; });
}

/// Whether the record that `in` has just passed was taken out of turn.
bool RingPort::pass_notice(unsigned reactor) {
    Link& link = links_[reactor];
    const uint64_t end = link.in.position();
    if (link.notices.empty() || link.notices.front().end != end) return false;
    const bool taken = link.notices.front().taken;
    link.notices.pop_front();
    if (!taken) return false;
    link.open.push_back({end, Open::State::kFinished});
    ++link.finished;
    give_space_back(reactor);
    return true;
}

/// Finds the notices in what has come since the last time. What makes no sense is left to take().
void RingPort::look_ahead(Link& link) {
    if (link.ahead.position() < link.in.position()) link.ahead = link.in;
    for (;;) {
        uint16_t kind = 0;
        const std::span<char> record = link.ahead.take(kind);
        if (record.empty()) return;
        if (kind != static_cast<uint16_t>(InboundKind::kCancel) &&
            kind != static_cast<uint16_t>(InboundKind::kAnswer)) {
            continue;
        }
        const std::optional<DecodedInbound> decoded = read_inbound(record, kind);
        if (!decoded || decoded->slot) continue;
        link.notices.push_back({link.ahead.position(), decoded->message, false});
        link.notices_looked = 0;
    }
}

bool RingPort::take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) {
    if (stopping()) return false;
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor) {
        Link& link = links_[reactor];
        look_ahead(link);
        // One is wanted once the message has been taken that it is about.
        if (link.notices_looked == link.in.position() + 1) continue;
        for (Notice& notice : link.notices) {
            if (notice.taken || !is_wanted(notice.message)) continue;
            notice.taken = true;
            message = notice.message;
            message.ticket = (uint64_t{reactor} << kTicketShift) | notice.end;
            return true;
        }
        link.notices_looked = link.in.position() + 1;
    }
    return false;
}

/// Descriptors and the records that speak of them come in the same order.
bool RingPort::take_file(Link& link, Inbound& message) {
    std::optional<FdChannel::Received> received = link.files.receive();
    if (!received || received->number != link.files_taken || message.file_number != link.files_taken)
        return false;
    ++link.files_taken;
    message.file = received->fd.release();
    return true;
}

void RingPort::finished(const Inbound& message) {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    const uint64_t end = message.ticket & kEndMask;
    Link& link = links_[reactor];
    // A notice taken out of turn: it ends when its turn comes.
    if (end > link.in.position()) return;
    Open* open = find_open(link, end);
    if (!open || open->state == Open::State::kHeld) {
        note(reactor, CommandKind::kFinished, end);
        if (const auto aside = link.aside.find(end); aside != link.aside.end()) {
            if (aside->second.out_offset != PageArena::kNone) out_.free(aside->second.out_offset);
            link.aside.erase(aside);
        }
        flush();
        return;
    }
    open->state = Open::State::kFinished;
    ++link.finished;
    give_space_back(reactor);
}

/// Whether the reactor may be short of space in the ring for nothing else but messages that wait.
bool RingPort::is_crowded(const Link& link) const {
    return link.in.position() - link.freed >= own_layout_.shape().ring_bytes / kCrowdedPart;
}

/// In order, up to the last finished message or, when space is short, as far as it goes. What waits in
/// between leaves the ring; while only such stand in it, they stay: most do not wait for long.
void RingPort::give_space_back(unsigned reactor) {
    Link& link = links_[reactor];
    const bool crowded = is_crowded(link);
    uint64_t end = 0;
    for (; !link.open.empty(); link.open.pop_front()) {
        const Open& front = link.open.front();
        if (front.state == Open::State::kFinished) {
            --link.finished;
        } else if (front.state != Open::State::kHeld) {
            if (front.state == Open::State::kBegun || (link.finished == 0 && !crowded)) break;
            if (!push_note(reactor, CommandKind::kHold, front.end)) break;
        }
        end = front.end;
    }
    // Answers do not wait for the messages behind them, whose handlers may take any time. And they are
    // visible before the message counts as finished: a connection may end as soon as all of its messages are.
    // So is it, before the space is given back, that a message is not finished.
    flush();
    if (!end) return;
    link.freed = end;
    link.in.free_until(end);
}

void RingPort::waits(const Inbound& message) {
    Link& link = link_of(message);
    Open* open = find_open(link, message.ticket & kEndMask);
    if (!open || open->state != Open::State::kBegun) return;
    open->state = Open::State::kWaits;
    if (link.finished > 0 || is_crowded(link))
        give_space_back(static_cast<unsigned>(message.ticket >> kTicketShift));
}

void RingPort::set_aside(Inbound& message) {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    Link& link = links_[reactor];
    const uint64_t end = message.ticket & kEndMask;
    const bool slot = message.home == PayloadHome::kSlot;
    const size_t page = slot ? page_of(message) : 0;
    const size_t bytes = inbound_record_bytes(message, slot);
    Aside aside{allocate_out(bytes), {}};
    char* place;
    if (aside.out_offset != PageArena::kNone) {
        // In shared memory, where it survives this process.
        place = own_layout_.out_arena(slot_).data() + aside.out_offset + kOutSlotHeader;
    } else {
        aside.copy.reset(new char[bytes]);
        place = aside.copy.get();
    }
    write_inbound(place, message, slot, static_cast<uint32_t>(page));
    const std::optional<DecodedInbound> decoded =
        read_inbound({place, bytes}, static_cast<uint16_t>(message.kind));
    message.head = decoded->message.head;
    message.fields = decoded->message.fields;
    message.head_text = decoded->message.head_text;
    if (!slot) message.payload = decoded->message.payload;

    Open* open = find_open(link, end);
    const bool told = aside.out_offset != PageArena::kNone &&
                      push_note(reactor, CommandKind::kSetAside, end, aside.out_offset);
    open->state = told ? Open::State::kHeld : Open::State::kWaits;
    link.aside.emplace(end, std::move(aside));
    give_space_back(reactor);
}

void RingPort::begins(const Inbound& message) {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    Link& link = links_[reactor];
    const uint64_t end = message.ticket & kEndMask;
    if (!link.aside.contains(end)) return;
    const Open* open = find_open(link, end);
    if (open && open->state != Open::State::kHeld) return;
    note(reactor, CommandKind::kBegin, end);
    // A message that kills its worker must not be given to the next: visible before the handler runs.
    flush();
}

bool RingPort::push_note(unsigned reactor, CommandKind kind, uint64_t number, uint64_t place) {
    // One for this reactor stands before it.
    if (!notes_.empty()) return false;
    Command command;
    command.kind = kind;
    command.length = place;
    char* record = links_[reactor].out.reserve(command_record_bytes(command, false));
    if (!record) return false;
    write_command(record, command, false, number);
    return true;
}

/// Kept when the ring is full: a slot that is not given back is lost until this worker ends, and a message
/// that is never finished would hold up its connection.
void RingPort::note(unsigned reactor, CommandKind kind, uint64_t number) {
    if (!push_note(reactor, kind, number)) notes_.push_back({reactor, kind, number});
}

void RingPort::retry_notes() {
    if (notes_.empty()) return;
    std::deque<Note> left;
    left.swap(notes_);
    while (!left.empty() && push_note(left.front().reactor, left.front().kind, left.front().number))
        left.pop_front();
    notes_.swap(left);
    if (!notes_.empty()) return;
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor)
        if (is_crowded(links_[reactor])) give_space_back(reactor);
}

size_t RingPort::page_of(const Inbound& message) const {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    return static_cast<size_t>(message.payload.data() - kPayloadOffset - own_layout_.arena(reactor).data()) /
           PageArena::kPageSize;
}

void RingPort::release(const Inbound& message) {
    note(static_cast<unsigned>(message.ticket >> kTicketShift), CommandKind::kRelease, page_of(message));
}

void RingPort::release_file(const Inbound& message) {
    note(static_cast<unsigned>(message.ticket >> kTicketShift), CommandKind::kReleaseFile,
         message.file_number);
}

void RingPort::sweep_out() {
    size_t count = out_busy_.size();
    for (size_t i = 0; i < count; ++i) {
        size_t offset = out_busy_.front();
        out_busy_.pop_front();
        auto* state = reinterpret_cast<std::atomic<uint32_t>*>(own_layout_.out_arena(slot_).data() + offset);
        if (state->load(std::memory_order_acquire) == kOutSlotFree) {
            out_.free(offset);
        } else {
            out_busy_.push_back(offset);
        }
    }
}

size_t RingPort::allocate_out(size_t bytes) {
    sweep_out();
    return out_.allocate(kOutSlotHeader + bytes);
}

/// Writes one record, or says that there is no room.
bool RingPort::push(unsigned reactor, const Command& command) {
    RingProducer& ring = links_[reactor].out;
    bool slot = command.body.size() >= kOutSlotThreshold;
    size_t bytes = command_record_bytes(command, slot);
    if (!ring.has_room(bytes)) return false;
    size_t offset = 0;
    if (command.file_bytes) {
        // Before the record that speaks of it is visible, and only when nothing can keep that from being
        // written.
        Link& link = links_[reactor];
        if (!link.files.send(link.files_sent, command.file)) return false;
        offset = link.files_sent++;
    } else if (slot) {
        offset = allocate_out(command.body.size());
        if (offset == PageArena::kNone) return false;
        char* place = own_layout_.out_arena(slot_).data() + offset;
        reinterpret_cast<std::atomic<uint32_t>*>(place)->store(kOutSlotBusy, std::memory_order_relaxed);
        memcpy(place + kOutSlotHeader, command.body.data(), command.body.size());
        out_busy_.push_back(offset);
    }
    write_command(ring.reserve(bytes), command, slot, offset);
    count_submitted(command);
    return true;
}

Delivery RingPort::submit_to(unsigned reactor, const Command& command) {
    retry_notes();
    if (push(reactor, command)) return Delivery::kSent;
    uint64_t give_up_ms = monotonic_ms() + kSubmitWaitMs;
    do {
        flush();
        nap();
        retry_notes();
        if (push(reactor, command)) return Delivery::kSent;
    } while (monotonic_ms() < give_up_ms);
    return Delivery::kDropped;
}

Delivery RingPort::submit_in_parts(unsigned reactor, const Command& command) {
    Command part = command;
    if (command.kind == CommandKind::kRespond && command.last && !command.has_length) {
        part.length = command.body.size();
    }
    for (size_t at = 0; at < command.body.size(); at += kPartBytes) {
        part.body = command.body.substr(at, kPartBytes);
        part.last = command.last && at + part.body.size() == command.body.size();
        if (!is_open(command.connection)) return Delivery::kClosed;
        if (submit_to(reactor, part) == Delivery::kDropped) {
            // The client has half of it: only closing tells the truth.
            Command close;
            close.kind = CommandKind::kClose;
            close.connection = command.connection;
            submit_to(reactor, close);
            return Delivery::kDropped;
        }
        part.kind = CommandKind::kBody;
        part.head = {};
    }
    return Delivery::kSent;
}

Delivery RingPort::submit(const Command& command) {
    Delivery foreseen = foresee(command);
    if (foreseen == Delivery::kClosed || foreseen == Delivery::kDropped) return foreseen;
    unsigned reactor;
    if (command.kind == CommandKind::kPublish) {
        // Always the same one, so that what this worker publishes keeps its order for everybody.
        reactor = slot_ % static_cast<unsigned>(links_.size());
    } else if (command.kind == CommandKind::kSendMany) {
        ConnectionId first = kNoConnection;
        memcpy(&first, command.head.data(), std::min(command.head.size(), sizeof first));
        reactor = reactor_of(first);
    } else {
        reactor = reactor_of(command.connection);
    }
    if (reactor >= links_.size()) return Delivery::kClosed;
    size_t most = std::min<size_t>(own_layout_.shape().out_bytes / 4, UINT32_MAX);
    bool response = command.kind == CommandKind::kRespond || command.kind == CommandKind::kBody;
    if (command.kind == CommandKind::kBody) {
        // A stream feels the client's pace: the reactor's write deadline ends the connection if it takes
        // nothing.
        while (is_open(command.connection) && queued_bytes(command.connection) > limits_.queued_bytes) {
            flush();
            nap();
        }
    }
    Delivery delivery = response && command.body.size() > most ? submit_in_parts(reactor, command)
                                                               : submit_to(reactor, command);
    return delivery == Delivery::kSent ? foreseen : delivery;
}

bool RingPort::has_room(const Command& command) {
    const unsigned reactor = reactor_of(command.connection);
    if (reactor >= links_.size()) return true;
    const bool slot = command.body.size() >= kOutSlotThreshold;
    if (!links_[reactor].out.has_room(command_record_bytes(command, slot))) return false;
    if (!slot) return true;
    const size_t offset = allocate_out(command.body.size());
    if (offset == PageArena::kNone) return false;
    out_.free(offset);
    return true;
}

unsigned RingPort::ask(const Command& question) {
    if (question.connection != kNoConnection) {
        const unsigned reactor = reactor_of(question.connection);
        return reactor < links_.size() && submit_to(reactor, question) == Delivery::kSent ? 1 : 0;
    }
    unsigned asked = 0;
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor)
        asked += submit_to(reactor, question) == Delivery::kSent ? 1 : 0;
    return asked;
}

void RingPort::flush() {
    // Its own publications last: another reactor hears of them from that one, and by then sees what was said
    // to itself before, a subscription for instance.
    for (unsigned count = 1; count <= links_.size(); ++count) {
        const unsigned reactor = (slot_ + count) % static_cast<unsigned>(links_.size());
        RingProducer& ring = links_[reactor].out;
        if (!ring.has_uncommitted()) continue;
        ring.commit();
        Doorbell::ring_if_asleep(own_layout_.reactor(reactor).sleeping, reactor_doorbells_[reactor]);
    }
}

bool RingPort::anything_to_take() const {
    for (const Link& link : links_) {
        if (!link.in.empty()) return true;
    }
    return false;
}

void RingPort::wait(int timeout_ms) {
    retry_notes();
    flush();
    if (!notes_.empty()) timeout_ms = timeout_ms < 0 ? 1 : std::min(timeout_ms, 1);
    auto& sleeping = own_layout_.worker(slot_).sleeping;
    if (stopping()) {
        timeout_ms = timeout_ms < 0 ? kStoppingWaitMs : std::min(timeout_ms, kStoppingWaitMs);
    } else if (timeout_ms != 0) {
        if (anything_to_take()) {
            // Messages may never end: watched descriptors get their turn all the same.
            if (!watches_) return;
            timeout_ms = 0;
        } else {
            Doorbell::about_to_sleep(sleeping);
            if (anything_to_take()) timeout_ms = 0;
        }
    }
    for (const epoll_event& event : poller_.wait(timeout_ms)) {
        if (event.data.u64 == kDoorbellToken) {
            Doorbell::drain(doorbell_);
        } else if (event.data.u64 == kMasterToken) {
            hear_master();
        } else {
            ready_.push_back({static_cast<int>(event.data.u64 - kFdToken), event.events});
        }
    }
    Doorbell::awake(sleeping);
}

bool RingPort::watch(int fd, uint32_t events) {
    watches_ = true;
    return poller_.watch_once(fd, events, kFdToken + static_cast<uint64_t>(fd));
}

void RingPort::take_ready(std::vector<ReadyFd>& ready) {
    ready.clear();
    ready.swap(ready_);
}

void RingPort::hear_master() {
    while (auto message = control_.receive()) {
        if (static_cast<Control>(message->bytes[0]) == Control::kStop) stop_ = true;
    }
    if (control_.eof()) _exit(0);  // the master is gone, and with it the server
}

}  // namespace sluice
