#include "server/inline/inline_port.h"

#include <algorithm>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "io/doorbell.h"
#include "server/seam/control.h"

namespace sluice {

namespace {
constexpr int kPollMs = 50;
}  // namespace

InlinePort::InlinePort(Wiring wiring)
    : PortBase(own_layout_, wiring.slot, wiring.limits),
      own_layout_(std::move(wiring.layout)),
      doorbells_(std::move(wiring.doorbells)),
      control_(std::move(wiring.control)),
      transport_(own_layout_, wiring.slot, *wiring.allocator, wiring.limits.arena_bytes,
                 places_of_worker(wiring.limits.coroutines)),
      loop_(wiring.make_loop(own_layout_, transport_)),
      reopen_logs_(std::move(wiring.reopen_logs)),
      listeners_(std::move(wiring.listeners)),
      outbox_(own_layout_, wiring.slot) {
    loop_->watch(control_.fd());
    transport_.tell_peer = [this](unsigned peer, const Command& answer) {
        return submit_to_peer(peer, answer) != Submitted::kNoRoom;
    };
}

void InlinePort::ready() {
    for (auto& [endpoint, fd] : listeners_)
        loop_->add_listener(endpoint, std::move(fd));
    listeners_.clear();
    own_layout_.worker(slot_).alive.store(1, std::memory_order_release);
    const char said = static_cast<char>(Control::kReady);
    control_.send({&said, 1});
}

void InlinePort::abandon() {
    own_layout_.close_fd();
    for (const int fd : doorbells_)
        close(fd);
    control_.close();
    loop_->abandon();
    transport_.abandon();
}

void InlinePort::request_reload() {
    char said = static_cast<char>(Control::kWantReload);
    control_.send({&said, 1});
}

void InlinePort::request_stop() {
    char said = static_cast<char>(Control::kWantStop);
    control_.send({&said, 1});
}

void InlinePort::request_replacement() {
    char said = static_cast<char>(Control::kWantReplacement);
    control_.send({&said, 1});
}

void InlinePort::request_successor() {
    char said = static_cast<char>(Control::kWantSuccessor);
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

void InlinePort::waits(const Inbound& message) {
    transport_.hold(reinterpret_cast<InlineTransport::Entry*>(message.ticket));
}

void InlinePort::finished(const Inbound& message) {
    ConnectionId id = message.is_notice() ? kNoConnection : message.connection;
    transport_.finished(reinterpret_cast<InlineTransport::Entry*>(message.ticket));
    loop_->on_finished(id);
}

void InlinePort::submit_here(const Command& command) {
    Ref<Payload> payload;
    Command own = command;
    if (command.payload.size() >= kOutExtentThreshold) {
        payload = HeapPayload::copy_of({}, command.payload);
        own.payload = {payload->data(), payload->size()};
    }
    count_submitted(layout_, command);
    loop_->on_command(0, own, std::move(payload));
}

bool InlinePort::is_alive(unsigned peer) const {
    return own_layout_.worker(peer).alive.load(std::memory_order_acquire) != 0;
}

void InlinePort::commit(unsigned peer) {
    if (outbox_.commit(peer)) Doorbell::ring_if_asleep(own_layout_.reactor(peer).sleeping, doorbells_[peer]);
}

Submitted InlinePort::submit_to_peer(unsigned peer, const Command& command) {
    if (!is_alive(peer)) return Submitted::kClosed;
    if (!outbox_.can_hold(command.payload.size())) return Submitted::kDropped;
    // Read before the push: if the peer dies afterwards, it will not answer.
    const uint32_t life = own_layout_.worker(peer).lives.load(std::memory_order_acquire);
    const bool pushed = outbox_.push(peer, command);
    commit(peer);
    if (!pushed) return Submitted::kNoRoom;
    if (const uint32_t question = command.question()) transport_.expect_answer(peer, question, life);
    return Submitted::kSent;
}

/// Submits to each reactor once, to its own first.
Submitted InlinePort::submit_to_all(const Command& command, Reach& reach) {
    Submitted worst = Submitted::kSent;
    for (unsigned count = 0; count < outbox_.reactors(); ++count) {
        const unsigned reactor = (slot_ + count) % outbox_.reactors();
        if (reach.done[reactor]) continue;
        Submitted submitted = Submitted::kSent;
        if (reactor == slot_) {
            submit_here(command);
        } else {
            submitted = submit_to_peer(reactor, command);
        }
        reach.done[reactor] = submitted != Submitted::kNoRoom;
        if (submitted == Submitted::kSent) ++reach.count;
        if (submitted != Submitted::kClosed) worst = std::max(worst, submitted);
    }
    return worst;
}

Submitted InlinePort::submit(const Command& command, Reach& reach) {
    if (command.is_for_all()) return submit_to_all(command, reach);
    const Submitted foreseen = foresee(command);
    if (is_final(foreseen)) return foreseen;
    const unsigned reactor = reactor_for(command);
    if (reactor >= outbox_.reactors()) return Submitted::kClosed;
    if (reactor != slot_) {
        const Submitted submitted = submit_to_peer(reactor, command);
        if (submitted != Submitted::kSent) return submitted;
    } else {
        submit_here(command);
    }
    ++reach.count;
    return foreseen;
}

Submitted InlinePort::submit_surely(const Command& command) {
    Reach reach;
    const Submitted submitted = submit(command, reach);
    if (submitted != Submitted::kNoRoom) return submitted;
    const unsigned peer = reactor_for(command);
    if (!outbox_.push_or_keep(peer, command)) return Submitted::kDropped;
    commit(peer);  // there may be room by now
    return foresee(command);
}

void InlinePort::hand_over_kept() {
    if (!outbox_.has_kept()) return;
    outbox_.hand_over_kept();
    for (unsigned peer = 0; peer < outbox_.reactors(); ++peer) {
        commit(peer);
        if (!is_alive(peer)) outbox_.forget_kept(peer);
    }
}

void InlinePort::flush() {}

void InlinePort::wait(int timeout_ms) {
    wait_without_messages(transport_.has_messages_to_take() ? 0 : timeout_ms);
}

void InlinePort::wait_without_messages(int timeout_ms) {
    hand_over_kept();
    auto at_most = [&timeout_ms](int most_ms) {
        timeout_ms = timeout_ms < 0 ? most_ms : std::min(timeout_ms, most_ms);
    };
    if (outbox_.has_kept()) at_most(1);
    if (draining_) at_most(kPollMs);
    // A peer may die without an answer, and nothing rings then.
    if (transport_.expects_answers()) at_most(kPollMs);
    transport_.look();
    loop_->turn(timeout_ms);
    if (loop_->watched_ready()) hear_master();
}

void InlinePort::hear_master() {
    while (auto message = control_.receive()) {
        WireReader reader(message->bytes);
        const Control order = reader.get<Control>();
        if (order == Control::kReopenLogs) {
            log::reopen();
            reopen_logs_();
        }
        if (order != Control::kStop) continue;
        const uint64_t until_ms = monotonic_ms() + reader.get<uint32_t>();
        drain_until_ms_ = draining_ ? std::min(drain_until_ms_, until_ms) : until_ms;
        if (draining_) continue;
        draining_ = true;
        own_layout_.worker(slot_).alive.store(0, std::memory_order_release);
        loop_->begin_shutdown();
    }
    if (control_.eof()) _exit(0);  // the master is gone, and with it the server
}

}  // namespace sluice
