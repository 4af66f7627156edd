#include "server/ring_port.h"

#include <algorithm>
#include <cstring>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/wire.h"
#include "io/doorbell.h"
#include "server/control.h"

namespace sluice {

namespace {
/// How long a command waits for room before it is dropped.
constexpr uint64_t kSubmitWaitMs = 1000;
/// A body that does not go into the out-arena at once is sent in parts of this size.
constexpr size_t kPartBytes = 1u << 20;
/// The first byte of a ticket is the reactor, the rest the running number of the message.
constexpr unsigned kTicketShift = 56;

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
        link.in.publish_taken();
        message = decoded->message;
        if (decoded->slot) {
            message.home = PayloadHome::kSlot;
            message.payload = {own_layout_.arena(reactor).data() +
                                   size_t{decoded->slot_page} * PageArena::kPageSize + kPayloadOffset,
                               decoded->payload_bytes};
        }
        message.ticket = (uint64_t{reactor} << kTicketShift) | (link.first_open + link.open.size());
        link.open.push_back({link.in.position(), false});
        return true;
    }
    return false;
}

void RingPort::finished(const Inbound& message) {
    Link& link = links_[message.ticket >> kTicketShift];
    uint64_t number = message.ticket & ((uint64_t{1} << kTicketShift) - 1);
    link.open[number - link.first_open].finished = true;
    uint64_t end = 0;
    while (!link.open.empty() && link.open.front().finished) {
        end = link.open.front().end;
        link.open.pop_front();
        ++link.first_open;
    }
    // Answers do not wait for the messages behind them, whose handlers may take any time. And they are
    // visible before the message counts as finished: a connection may end as soon as all of its messages are.
    flush();
    if (end) link.in.free_until(end);
}

bool RingPort::push_release(unsigned reactor, uint64_t page) {
    Command command;
    command.kind = CommandKind::kRelease;
    char* place = links_[reactor].out.reserve(command_record_bytes(command, false));
    if (!place) return false;
    write_command(place, command, false, page);
    return true;
}

void RingPort::retry_releases() {
    while (!releases_.empty() && push_release(releases_.front().reactor, releases_.front().page))
        releases_.pop_front();
}

void RingPort::release(const Inbound& message) {
    unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    size_t offset =
        static_cast<size_t>(message.payload.data() - kPayloadOffset - own_layout_.arena(reactor).data());
    uint64_t page = offset / PageArena::kPageSize;
    // Kept when the ring is full: a slot that is not given back is lost until this worker ends.
    if (!releases_.empty() || !push_release(reactor, page)) releases_.push_back({reactor, page});
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
    retry_releases();
    if (push(reactor, command)) return Delivery::kSent;
    uint64_t give_up_ms = monotonic_ms() + kSubmitWaitMs;
    do {
        flush();
        nap();
        retry_releases();
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

void RingPort::flush() {
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor) {
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
    retry_releases();
    flush();
    if (!releases_.empty()) timeout_ms = timeout_ms < 0 ? 1 : std::min(timeout_ms, 1);
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
