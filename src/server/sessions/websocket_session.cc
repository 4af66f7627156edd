#include "server/sessions/websocket_session.h"

#include <algorithm>
#include <cstdio>

#include "core/clock.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/deliver_message.h"

namespace sluice {

namespace {
/// After inflating this many bytes a connection yields to the others.
constexpr size_t kInflateBudgetBytes = 1u << 20;

const WebSocketLimits& limits_of(const SessionHost& host, const Connection& self) {
    return host.endpoints()[self.endpoint].spec.limits.websocket;
}
}  // namespace

bool may_follow(WebSocketState state, WebSocketState next) {
    switch (state) {
        case WebSocketState::kOpen: return next != WebSocketState::kOpen;
        case WebSocketState::kFailing:
        case WebSocketState::kClosing: return next == WebSocketState::kClosed;
        case WebSocketState::kClosed: return false;
    }
    return false;
}

/// Whether the input may complete what a worker is needed for: a message, or a pong that the handler is told
/// of. Other control frames between messages are answered whatever the workers do.
bool WebSocketSession::may_need_worker(SessionHost& host, const Connection& self,
                                       std::span<const char> input) const {
    if (arriving_ && !arriving_->receiver.at_rest()) return true;
    if (input.empty()) return false;
    if (!websocket::is_control(input.front())) return true;
    return websocket::opcode_of(input.front()) == websocket::Opcode::kPong && tells_of_pongs(host, self);
}

bool WebSocketSession::tells_of_pongs(SessionHost& host, const Connection& self) const {
    return heartbeat_ && host.endpoints()[self.endpoint].spec.websocket.wants_pongs;
}

Activity WebSocketSession::activity(const Connection& self) const {
    if (self.in_flight > 0) return Activity::kHandling;
    return arriving_ ? Activity::kReading : Activity::kNothing;
}

Progress WebSocketSession::consume(SessionHost& host, Connection& self, std::span<char>& input) {
    using websocket::Event;
    if (self.progressed) {
        pace_.came(input.size());
        if (heartbeat_) heartbeat_->heard = true;
    }
    size_t inflated_bytes = 0;
    for (;;) {
        if (state_ == State::kClosed) return Progress::kClosed;
        if (state_ == State::kFailing) {
            input = {};
            return Progress::kBlocked;
        }
        if (inflated_bytes >= kInflateBudgetBytes) return Progress::kYield;
        // Asked before the input is parsed, so that a message in the input never has to be copied.
        if (state_ == State::kOpen && may_need_worker(host, self, input) &&
            !host.can_deliver(self, std::max(input.size(), kExtentThreshold))) {
            return Progress::kWait;
        }
        if (!arriving_) {
            // So before each read: nothing has to be made for it.
            if (input.empty()) {
                if (state_ == State::kOpen) arm(host, self);
                return Progress::kMore;
            }
            begin_to_arrive(host, self);
        }
        auto& [receiver, room] = *arriving_;
        switch (receiver.next(input)) {
            case Event::kNeedInput:
                if (state_ != State::kOpen) return Progress::kMore;
                if (!receiver.in_message()) {
                    pace_.ended();
                } else if (self.progressed || !pace_.due_ms()) {
                    pace_.progressed(host.now_ms(), limits_of(host, self));
                }
                arm(host, self);
                if (receiver.at_rest()) arriving_.reset();
                return Progress::kMore;
            case Event::kNeedRoom:
                if (!room.grow(host.transport(), {self.client_key(), receiver.needed(),
                                                  receiver.filled_bytes(), input.size(), was_long_})) {
                    return wait_for(self, Resource::kArena);
                }
                receiver.grant(room.room());
                if (receiver.inflates()) inflated_bytes += room.room().size / 2;
                break;
            case Event::kNeedInflater:
                if (!lend_inflater(host)) return wait_for(self, Resource::kInflater);
                break;
            case Event::kMessage:
                self.count_frames(receiver.fragments(), receiver.message().size());
                pace_.ended();
                if (deliver(host, self) != Progress::kMore) return Progress::kClosed;
                break;
            case Event::kPing: {
                self.count_frames(1, 0);
                std::span<char> payload = receiver.message();
                // A client that sends pings and does not read gets no pongs beyond its queue's limit.
                if (state_ == State::kOpen && host.out_budget().may_queue(self, payload.size())) {
                    write_control(self, websocket::Opcode::kPong, {payload.data(), payload.size()});
                    host.wants_flush(self);
                }
                free_taken_room(host);
                break;
            }
            case Event::kPong: {
                self.count_frames(1, 0);
                std::span<char> payload = receiver.message();
                take_pong(host, self, {payload.data(), payload.size()});
                free_taken_room(host);
                break;
            }
            case Event::kClose: {
                uint16_t code = receiver.close_code();
                self.set_close(code, receiver.close_reason());
                if (state_ == State::kOpen) {
                    char payload[websocket::kMaxControlPayloadBytes];
                    size_t size = code == websocket::close_code::kNoStatus
                                      ? 0
                                      : websocket::write_close_payload(payload, code, {});
                    write_control(self, websocket::Opcode::kClose, {payload, size});
                }
                state_.move_to(State::kClosed);
                host.finish(self);
                return Progress::kClosed;
            }
            case Event::kError:
                if (state_ != State::kOpen) {
                    set_close_by_error(self);
                    state_.move_to(State::kClosed);
                    host.finish(self);
                    return Progress::kClosed;
                }
                fail(host, self);
                break;
        }
    }
}

/// The peer has violated the protocol. Its earlier, complete messages are answered first.
void WebSocketSession::fail(SessionHost& host, Connection& self) {
    state_.move_to(State::kFailing);
    if (const char* limit = arriving_->receiver.error().limit) host.count_refusal(limit);
    set_close_by_error(self);
    if (self.in_flight == 0) {
        end_failing(host, self);
    } else {
        host.set_deadline(self, limits_of(host, self).close_ms);
    }
}

void WebSocketSession::end_failing(SessionHost& host, Connection& self) {
    const websocket::Receiver::Error error = arriving_->receiver.error();
    char payload[websocket::kMaxControlPayloadBytes];
    const size_t size = websocket::write_close_payload(payload, error.close_code, error.sentence);
    hand_on(self, SIZE_MAX);
    write_control(self, websocket::Opcode::kClose, {payload, size});
    set_close_by_error(self);
    state_.move_to(State::kClosed);
    host.finish(self);
}

void WebSocketSession::handled(SessionHost& host, Connection& self) {
    if (state_ == State::kFailing) end_failing(host, self);
}

void WebSocketSession::set_close_by_error(Connection& self) {
    const websocket::Receiver::Error error = arriving_->receiver.error();
    self.set_close(error.close_code, error.sentence);
}

Progress WebSocketSession::deliver(SessionHost& host, Connection& self) {
    const websocket::Receiver& receiver = arriving_->receiver;
    std::span<char> payload = receiver.message();
    bulk_ = payload.size() >= kBulkThreshold;
    was_long_ = payload.size() >= kExtentThreshold;
    return_inflater(host);
    if (state_ == State::kOpen) {
        Inbound message;
        message.what = inbound::Message{receiver.opcode() == websocket::Opcode::kBinary};
        message.payload = {payload.data(), payload.size()};
        MessageRoom& room = arriving_->room;
        deliver_message(host, self, message, receiver.in_room() ? room.deliverable() : Room{}, room);
    }
    free_taken_room(host);
    return Progress::kMore;
}

/// Frees the room of a message or a control frame that has been handled.
void WebSocketSession::free_taken_room(SessionHost& host) {
    auto& [receiver, room] = *arriving_;
    if (!receiver.in_room()) return;
    receiver.take_room();
    room.reset(host.transport());
}

/// Bytes have come, or may have: there is a receiver until it is at rest.
void WebSocketSession::begin_to_arrive(const SessionHost& host, const Connection& self) {
    const WebSocketLimits& limits = limits_of(host, self);
    arriving_ = std::make_unique<ArrivingMessage<websocket::Receiver>>(
        websocket::Limits{limits.message_bytes, limits.message_fragments}, websocket::Role::kServer,
        compression_ != nullptr);
}

Topics::Subscriptions* WebSocketSession::subscriptions() {
    if (!sends()) return nullptr;
    if (!subscriptions_) subscriptions_ = std::make_unique<Topics::Subscriptions>();
    return subscriptions_.get();
}

void WebSocketSession::leave_topics(SessionHost& host) {
    if (subscriptions_) host.unsubscribe_all(*subscriptions_);
}

bool WebSocketSession::lend_inflater(SessionHost& host) {
    std::unique_ptr<websocket::Inflater>& inflater = compression_->inflater;
    if (!compression_->parameters.client_takeover) {
        inflater = host.compression().borrow_inflater();
    } else if (!inflater) {
        // A client told to use 8 bits may have a zlib that uses 9.
        inflater = std::make_unique<websocket::Inflater>(
            std::max(compression_->parameters.client_window_bits, websocket::kMinWindowBits));
    }
    arriving_->receiver.lend(inflater.get());
    return inflater != nullptr;
}

/// A message is complete: without takeover its inflater goes back to the pool.
void WebSocketSession::return_inflater(SessionHost& host) {
    if (!compression_ || !compression_->inflater || compression_->parameters.client_takeover) return;
    arriving_->receiver.take_inflater();
    host.compression().give_back(std::move(compression_->inflater));
}

void WebSocketSession::write_control(Connection& self, websocket::Opcode opcode, std::string_view payload) {
    char header[websocket::kMaxFrameHeaderBytes];
    size_t size = websocket::write_frame_header(header, opcode, true, payload.size());
    self.out.append({header, size});
    self.out.append(payload);
}

void WebSocketSession::command(SessionHost& host, Connection& self, int, const Command& command,
                               Ref<Payload> payload) {
    if (const auto* message = command.as<command::Send>()) {
        send(host, self, message->binary, command.payload, std::move(payload));
    } else if (command.is<command::Ping>()) {
        ping(host, self, command.payload);
    } else if (const auto* closing = command.as<command::Close>()) {
        close(host, self, closing->code, command.payload);
    }
}

void WebSocketSession::begin(SessionHost& host, Connection& self, const EndpointSpec& spec) {
    slow_client_ = spec.slow_client;
    idle_ms_ = spec.limits.websocket.idle_ms;
    host.cells().note_route(self.id, self.endpoint, slow_client_);
    const WebSocketRules& rules = spec.websocket;
    if (rules.ping_every_ms) {
        heartbeat_ = std::make_unique<Heartbeat>();
        heartbeat_->every_ms = rules.ping_every_ms;
        heartbeat_->within_ms = rules.pong_within_ms;
        heartbeat_->ping_at_ms = host.now_ms() + rules.ping_every_ms;
    }
    arm(host, self);
}

/// Sets the connection's deadline to the earliest one of this session.
void WebSocketSession::arm(SessionHost& host, Connection& self) {
    uint64_t due_ms = pace_.due_ms();
    if (heartbeat_) due_ms = heartbeat_->first_of(due_ms);
    host.set_deadline_at(self, due_ms);
}

void WebSocketSession::progressed(SessionHost& host, Connection& self) {
    if (heartbeat_) heartbeat_->heard = true;
    if (state_ != State::kOpen) return;
    pace_.progressed(host.now_ms(), limits_of(host, self));
    arm(host, self);
}

void WebSocketSession::take_pong(SessionHost& host, Connection& self, std::string_view payload) {
    // Ignore an unsolicited pong, which is allowed (RFC 6455 section 5.5.3).
    if (!heartbeat_ || !heartbeat_->sent_us || payload != heartbeat_->payload) return;
    const uint64_t took_us = monotonic_us() - heartbeat_->sent_us;
    const uint32_t round_trip_us = static_cast<uint32_t>(std::clamp<uint64_t>(took_us, 1, UINT32_MAX));
    heartbeat_->sent_us = 0;
    heartbeat_->pong_due_ms = 0;
    host.cells().note_round_trip(self.id, round_trip_us);
    if (state_ != State::kOpen || !tells_of_pongs(host, self)) return;
    Inbound message;
    message.what = inbound::Pong{round_trip_us};
    message.payload = payload;
    deliver_message(host, self, message, {}, arriving_->room);
}

/// Handles the heartbeat's deadlines, which may have passed.
void WebSocketSession::beat(SessionHost& host, Connection& self) {
    Heartbeat& heartbeat = *heartbeat_;
    const uint64_t now_ms = host.now_ms();
    if (heartbeat.pong_due_ms && heartbeat.pong_due_ms <= now_ms) {
        if (heartbeat.heard) {
            heartbeat.pong_due_ms = 0;  // it is alive, its pong is only behind other frames
        } else if (self.awaits_server() || self.stopping) {
            heartbeat.pong_due_ms = now_ms + heartbeat.within_ms;  // the pong may be among unread input
        } else {
            lose_contact(host, self);
            return;
        }
    }
    if (!heartbeat.every_ms || heartbeat.ping_at_ms > now_ms) return;
    heartbeat.ping_at_ms = now_ms + heartbeat.every_ms;
    // While bytes are queued, their own deadline watches the client, and a ping would be behind them.
    if (heartbeat.pong_due_ms || !self.out.empty()) return;
    char payload[20];
    const int size =
        snprintf(payload, sizeof payload, "%llu", static_cast<unsigned long long>(monotonic_us()));
    heartbeat.heard = false;
    heartbeat.pong_due_ms = now_ms + heartbeat.within_ms;
    ping(host, self, {payload, static_cast<size_t>(size)});
}

void WebSocketSession::lose_contact(SessionHost& host, Connection& self) {
    static constexpr std::string_view kReason = "no pong came in time";
    self.set_close(websocket::close_code::kAbnormal, kReason);
    state_.move_to(State::kClosed);
    if (!self.out.empty()) {
        host.abort(self);
        return;
    }
    char payload[websocket::kMaxControlPayloadBytes];
    const size_t size =
        websocket::write_close_payload(payload, websocket::close_code::kInternalError, kReason);
    write_control(self, websocket::Opcode::kClose, {payload, size});
    host.finish(self);
}

void WebSocketSession::close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) {
    if (state_ == State::kFailing) end_failing(host, self);
    if (state_ != State::kOpen) return;
    char payload[websocket::kMaxControlPayloadBytes];
    size_t size = websocket::close_code_allowed_on_wire(code)
                      ? websocket::write_close_payload(payload, code, reason)
                      : 0;
    hand_on(self, SIZE_MAX);  // earlier messages go before the close frame
    write_control(self, websocket::Opcode::kClose, {payload, size});
    host.wants_flush(self);
    host.cells().hide(self.id);
    leave_topics(host);
    state_.move_to(State::kClosing);
    host.set_deadline(self, limits_of(host, self).close_ms);
    // It may wait for a worker to take its messages; from now on it only reads for the peer's close frame.
    host.resume(self);
}

void WebSocketSession::give_up_unfinished(SessionHost& host, Connection& self) {
    if (state_ == State::kOpen) {
        char payload[websocket::kMaxControlPayloadBytes];
        const size_t size =
            websocket::write_close_payload(payload, websocket::close_code::kTryAgainLater, kNoRoomSentence);
        hand_on(self, SIZE_MAX);
        write_control(self, websocket::Opcode::kClose, {payload, size});
        self.set_close(websocket::close_code::kTryAgainLater, kNoRoomSentence);
    }
    leave_topics(host);
    state_.move_to(State::kClosed);
    return_inflater(host);
    arriving_->room.reset(host.transport());
    arriving_.reset();
    host.count_refusal("arenaBytes");
    host.finish(self);
}

void WebSocketSession::stop(SessionHost& host, Connection& self) {
    close(host, self, websocket::close_code::kGoingAway, "the server is going down");
}

void WebSocketSession::ended(SessionHost& host, Connection& self) {
    host.abort(self);
}

void WebSocketSession::deadline(SessionHost& host, Connection& self) {
    if (state_ == State::kFailing) {
        end_failing(host, self);
        return;
    }
    if (state_ != State::kOpen) {
        state_.move_to(State::kClosed);
        host.finish(self);
        return;
    }
    if (pace_.is_overdue(host.now_ms())) {
        if (!self.awaits_server()) {
            static constexpr std::string_view kReason = "the message did not arrive in time";
            host.count_refusal("messageSeconds");
            close(host, self, websocket::close_code::kPolicyViolation, kReason);
            self.set_close(websocket::close_code::kPolicyViolation, kReason);
            return;
        }
        pace_.begin_again(host.now_ms(), limits_of(host, self));
    }
    if (heartbeat_) beat(host, self);
    if (state_ == State::kOpen) arm(host, self);
}

void WebSocketSession::release(SessionHost& host) {
    if (state_ != State::kClosed) state_.move_to(State::kClosed);
    backlog_.reset();
    leave_topics(host);
    if (arriving_) arriving_->room.reset(host.transport());
    if (compression_) {
        return_inflater(host);
        host.compression().unreserve(*compression_);
        compression_.reset();
    }
}

}  // namespace sluice
