#include "server/inline/inline_port.h"

#include <algorithm>
#include <cstring>
#include <time.h>

#include "base/clock.h"
#include "base/wire.h"
#include "io/doorbell.h"
#include "server/seam/control.h"

namespace sluice {

namespace {
constexpr uint64_t kSubmitWaitMs = 1000;

void nap() {
    timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
}
}  // namespace

InlinePort::InlinePort(Wiring wiring)
    : PortBase(own_layout_, wiring.slot, wiring.limits),
      own_layout_(std::move(wiring.layout)),
      doorbells_(std::move(wiring.doorbells)),
      control_(std::move(wiring.control)),
      transport_(own_layout_, wiring.slot, *wiring.allocator, wiring.limits.arena_bytes),
      loop_(wiring.make_loop(own_layout_, transport_)),
      reopen_logs_(std::move(wiring.reopen_logs)),
      listeners_(std::move(wiring.listeners)),
      out_(own_layout_.shape().out_bytes) {
    for (unsigned peer = 0; peer < own_layout_.shape().worker_slots; ++peer)
        to_peers_.push_back(own_layout_.out_producer(wiring.slot, peer));
    loop_->watch(control_.fd());
    transport_.tell_peer = [this](unsigned peer, const Command& answer) {
        return own_layout_.worker(peer).alive.load(std::memory_order_acquire) == 0 || push(peer, answer);
    };
}

void InlinePort::ready() {
    for (auto& [endpoint, fd] : listeners_)
        loop_->add_listener(endpoint, std::move(fd));
    listeners_.clear();
    own_layout_.worker(slot_).alive.store(1, std::memory_order_release);
    WireWriter said;
    said.put(Control::kReady);
    said.put(static_cast<int32_t>(getpid()));
    control_.send(said.bytes());
}

void InlinePort::request_reload() {
    char said = static_cast<char>(Control::kWantReload);
    control_.send({&said, 1});
}

void InlinePort::request_stop() {
    char said = static_cast<char>(Control::kWantStop);
    control_.send({&said, 1});
}

bool InlinePort::stopping() const {
    if (!draining_) return false;
    if (transport_.has_messages()) return false;
    return loop_->is_empty() || monotonic_ms() >= drain_until_ms_;
}

bool InlinePort::take(Inbound& message) {
    InlineTransport::Entry* entry = transport_.take();
    if (!entry) return false;
    message = entry->message;
    return true;
}

bool InlinePort::take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) {
    InlineTransport::Entry* entry = transport_.take_notice(is_wanted);
    if (!entry) return false;
    message = entry->message;
    return true;
}

void InlinePort::finished(const Inbound& message) {
    ConnectionId id = message.kind == InboundKind::kCancel ? kNoConnection : message.connection;
    transport_.finished(reinterpret_cast<InlineTransport::Entry*>(message.ticket));
    loop_->on_finished(id);
}

Delivery InlinePort::submit_here(const Command& command) {
    Ref<Payload> payload;
    Command own = command;
    if (command.body.size() >= kOutSlotThreshold) {
        payload = HeapPayload::copy_of({}, command.body);
        own.body = {payload->data(), payload->size()};
    }
    count_submitted(command);
    loop_->on_command(0, own, std::move(payload));
    return Delivery::kSent;
}

void InlinePort::sweep_out() {
    std::erase_if(out_busy_, [&](size_t offset) {
        auto* state = reinterpret_cast<std::atomic<uint32_t>*>(own_layout_.out_arena(slot_).data() + offset);
        return state->load(std::memory_order_acquire) == kOutSlotFree && out_.free(offset);
    });
}

bool InlinePort::push(unsigned peer, const Command& command) {
    RingProducer& ring = to_peers_[peer];
    bool slot = command.body.size() >= kOutSlotThreshold;
    size_t bytes = command_record_bytes(command, slot);
    if (!ring.has_room(bytes)) return false;
    size_t offset = 0;
    if (slot) {
        sweep_out();
        offset = out_.allocate(kOutSlotHeader + command.body.size());
        if (offset == PageArena::kNone) return false;
        char* place = own_layout_.out_arena(slot_).data() + offset;
        reinterpret_cast<std::atomic<uint32_t>*>(place)->store(kOutSlotBusy, std::memory_order_relaxed);
        memcpy(place + kOutSlotHeader, command.body.data(), command.body.size());
        out_busy_.push_back(offset);
    }
    write_command(ring.reserve(bytes), command, slot, offset);
    count_submitted(command);
    ring.commit();
    Doorbell::ring_if_asleep(own_layout_.reactor(peer).sleeping, doorbells_[peer]);
    return true;
}

Delivery InlinePort::submit_to_peer(unsigned peer, const Command& command) {
    if (own_layout_.worker(peer).alive.load(std::memory_order_acquire) == 0) return Delivery::kClosed;
    if (push(peer, command)) return Delivery::kSent;
    uint64_t give_up_ms = monotonic_ms() + kSubmitWaitMs;
    do {
        // The peer may be waiting for room in the ring to us: taking its commands runs no PHP code.
        transport_.poll(*loop_);
        nap();
        if (push(peer, command)) return Delivery::kSent;
    } while (monotonic_ms() < give_up_ms);
    return Delivery::kDropped;
}

Delivery InlinePort::submit(const Command& command) {
    Delivery foreseen = foresee(command);
    if (foreseen == Delivery::kClosed || foreseen == Delivery::kDropped) return foreseen;
    if (command.kind == CommandKind::kPublish) {
        submit_here(command);
        Delivery worst = Delivery::kSent;
        for (unsigned peer = 0; peer < to_peers_.size(); ++peer) {
            if (peer != slot_ && submit_to_peer(peer, command) == Delivery::kDropped)
                worst = Delivery::kDropped;
        }
        return worst;
    }
    ConnectionId id = command.connection;
    if (command.kind == CommandKind::kSendMany) {
        memcpy(&id, command.head.data(), std::min(command.head.size(), sizeof id));
    }
    unsigned reactor = reactor_of(id);
    if (reactor >= to_peers_.size()) return Delivery::kClosed;
    if (command.kind == CommandKind::kBody) {
        // A stream feels the client's pace; the reactor has to run for the client to be served at all.
        while (is_open(id) && queued_bytes(id) > limits_.queued_bytes)
            loop_->turn(10);
    }
    Delivery delivery = reactor == slot_ ? submit_here(command) : submit_to_peer(reactor, command);
    return delivery == Delivery::kSent ? foreseen : delivery;
}

bool InlinePort::has_room(const Command& command) {
    const unsigned peer = reactor_of(command.connection);
    if (peer == slot_ || peer >= to_peers_.size()) return true;
    const bool slot = command.body.size() >= kOutSlotThreshold;
    if (!to_peers_[peer].has_room(command_record_bytes(command, slot))) return false;
    if (!slot) return true;
    sweep_out();
    const size_t offset = out_.allocate(kOutSlotHeader + command.body.size());
    if (offset == PageArena::kNone) return false;
    out_.free(offset);
    return true;
}

unsigned InlinePort::ask(const Command& question) {
    if (question.connection != kNoConnection) {
        const unsigned reactor = reactor_of(question.connection);
        if (reactor >= to_peers_.size()) return 0;
        return (reactor == slot_ ? submit_here(question) : submit_to_peer(reactor, question)) ==
               Delivery::kSent;
    }
    unsigned asked = submit_here(question) == Delivery::kSent ? 1 : 0;
    for (unsigned peer = 0; peer < to_peers_.size(); ++peer) {
        if (peer != slot_ && submit_to_peer(peer, question) == Delivery::kSent) ++asked;
    }
    return asked;
}

void InlinePort::flush() {}

void InlinePort::wait(int timeout_ms) {
    if (draining_) timeout_ms = timeout_ms < 0 ? 50 : std::min(timeout_ms, 50);
    if (transport_.has_messages()) timeout_ms = 0;
    loop_->turn(timeout_ms);
    if (loop_->watched_ready()) hear_master();
}

void InlinePort::hear_master() {
    while (auto message = control_.receive()) {
        WireReader reader(message->bytes);
        const Control order = reader.get<Control>();
        if (order == Control::kReopenLogs) reopen_logs_();
        if (order != Control::kStop || draining_) continue;
        bool drain = reader.get<bool>();
        draining_ = true;
        drain_until_ms_ = monotonic_ms() + (drain ? limits_.shutdown_ms : 0);
        own_layout_.worker(slot_).alive.store(0, std::memory_order_release);
        loop_->begin_shutdown();
    }
    if (control_.eof()) _exit(0);  // the master is gone, and with it the server
}

}  // namespace sluice
