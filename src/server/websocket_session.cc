#include <algorithm>

#include "server/reactor.h"

namespace sluice {

namespace {
/// A client that sends what inflates to much more lets the others go first when it has got this much.
constexpr size_t kInflateBudgetBytes = 1u << 20;
}  // namespace

Progress WebSocketSession::consume(Reactor& reactor, Connection& self, std::span<char>& input) {
    using websocket::Event;
    size_t inflated_bytes = 0;
    for (;;) {
        if (state_ == State::kClosed) return Progress::kClosed;
        if (inflated_bytes >= kInflateBudgetBytes) return Progress::kWait;
        // Asked before the input is looked at, so that a message in place never has to be kept.
        if (state_ == State::kOpen && !reactor.can_deliver(self, std::max(input.size(), kSlotThreshold))) {
            return Progress::kWait;
        }
        switch (receiver_.next(input)) {
            case Event::kNeedInput:
                if (receiver_.in_message()) {
                    if (self.progressed || !self.deadline_ms)
                        reactor.set_deadline(self, reactor.limits().body_ms);
                } else if (state_ == State::kOpen) {
                    reactor.set_deadline(self, 0);
                }
                return Progress::kMore;
            case Event::kNeedRoom:
                if (!room_.grow(reactor.transport(), receiver_.needed(), receiver_.filled_bytes())) {
                    return Progress::kWait;
                }
                receiver_.grant(room_.room());
                if (receiver_.inflates()) inflated_bytes += room_.room().size / 2;
                break;
            case Event::kNeedInflater:
                if (!lend_inflater(reactor)) return Progress::kWait;
                break;
            case Event::kMessage:
                if (deliver(reactor, self) != Progress::kMore) return Progress::kClosed;
                break;
            case Event::kPing: {
                std::span<char> payload = receiver_.message();
                // A client that asks and does not read gets no more answers than it takes.
                if (state_ == State::kOpen && reactor.may_queue(self, payload.size())) {
                    write_control(self, websocket::Opcode::kPong, {payload.data(), payload.size()});
                    reactor.wants_flush(self);
                }
                free_taken_room(reactor);
                break;
            }
            case Event::kPong: free_taken_room(reactor); break;
            case Event::kClose: {
                uint16_t code = receiver_.close_code();
                reactor.set_close(self, code, receiver_.close_reason());
                if (state_ == State::kOpen) {
                    char payload[websocket::kMaxControlPayloadBytes];
                    size_t size = code == websocket::close_code::kNoStatus
                                      ? 0
                                      : websocket::write_close_payload(payload, code, {});
                    write_control(self, websocket::Opcode::kClose, {payload, size});
                }
                state_ = State::kClosed;
                reactor.finish(self);
                return Progress::kClosed;
            }
            case Event::kError: {
                websocket::Receiver::Error error = receiver_.error();
                reactor.set_close(self, error.close_code, error.sentence);
                if (state_ == State::kOpen) {
                    char payload[websocket::kMaxControlPayloadBytes];
                    size_t size = websocket::write_close_payload(payload, error.close_code, error.sentence);
                    write_control(self, websocket::Opcode::kClose, {payload, size});
                }
                state_ = State::kClosed;
                reactor.finish(self);
                return Progress::kClosed;
            }
        }
    }
}

Progress WebSocketSession::deliver(Reactor& reactor, Connection& self) {
    std::span<char> payload = receiver_.message();
    bulk_ = payload.size() >= kBulkThreshold;
    return_inflater(reactor);
    if (state_ == State::kOpen) {
        Inbound message;
        message.kind = InboundKind::kMessage;
        message.binary = receiver_.opcode() == websocket::Opcode::kBinary;
        message.payload = {payload.data(), payload.size()};
        deliver_message(reactor, self, message, receiver_.in_room() ? room_.deliverable() : Room{}, room_);
    }
    free_taken_room(reactor);
    return Progress::kMore;
}

/// A message or a control frame that stood in the room has been dealt with.
void WebSocketSession::free_taken_room(Reactor& reactor) {
    if (!receiver_.in_room()) return;
    receiver_.take_room();
    room_.reset(reactor.transport());
}

bool WebSocketSession::lend_inflater(Reactor& reactor) {
    std::unique_ptr<websocket::Inflater>& inflater = compression_->inflater;
    if (compression_->parameters.client_takeover) {
        // A client told to use 8 bits may have a zlib that makes them 9.
        inflater = std::make_unique<websocket::Inflater>(
            std::max(compression_->parameters.client_window_bits, websocket::kMinWindowBits));
    } else {
        inflater = reactor.compression().borrow_inflater();
    }
    receiver_.lend(inflater.get());
    return inflater != nullptr;
}

/// A message is complete: without takeover its inflater is somebody else's now.
void WebSocketSession::return_inflater(Reactor& reactor) {
    if (!compression_ || !compression_->inflater || compression_->parameters.client_takeover) return;
    receiver_.take_inflater();
    reactor.compression().give_back(std::move(compression_->inflater));
}

void WebSocketSession::write_control(Connection& self, websocket::Opcode opcode, std::string_view payload) {
    char header[websocket::kMaxFrameHeaderBytes];
    size_t size = websocket::write_frame_header(header, opcode, true, payload.size());
    self.out.append({header, size});
    self.out.append(payload);
}

void WebSocketSession::send(Reactor& reactor, Connection& self, const Command& command,
                            Ref<Payload> payload) {
    // Asked with the full size: what is dropped should not have been compressed before.
    if (state_ != State::kOpen || !reactor.may_queue(self, command.body.size())) return;
    std::string_view compressed;
    if (compression_ && command.body.size() >= compression_->min_bytes) {
        compressed = reactor.compression().compress_for(*compression_, command.body);
    }
    char header[websocket::kMaxFrameHeaderBytes];
    size_t size = websocket::write_frame_header(
        header, command.binary ? websocket::Opcode::kBinary : websocket::Opcode::kText, true,
        compressed.empty() ? command.body.size() : compressed.size(), !compressed.empty());
    self.out.append({header, size});
    if (!compressed.empty()) {
        self.out.append(compressed);
    } else if (payload) {
        self.out.append(std::move(payload));
    } else {
        self.out.append(command.body);
    }
    reactor.wants_flush(self);
}

void WebSocketSession::send_shared(Reactor& reactor, Connection& self, SharedMessage& message) {
    static constexpr size_t kShareThreshold = 512;  // below it a copy is cheaper than a reference
    if (state_ != State::kOpen || !reactor.may_queue(self, message.plain_frame()->size())) return;
    Ref<Payload> frame;
    if (compression_ && message.body_bytes() >= compression_->min_bytes) {
        frame = message.compressed_frame(compression_->parameters.server_window_bits, compression_->level,
                                         reactor.compression());
        // It goes into the client's window, but not into that of the deflater kept for this connection.
        if (frame) compression_->deflater_is_behind = true;
    }
    if (!frame) frame = message.plain_frame();
    if (frame->size() < kShareThreshold) {
        self.out.append({frame->data(), frame->size()});
    } else {
        self.out.append(frame);
    }
    reactor.wants_flush(self);
}

void WebSocketSession::ping(Reactor& reactor, Connection& self, std::string_view payload) {
    if (state_ != State::kOpen || payload.size() > websocket::kMaxControlPayloadBytes) return;
    if (!reactor.may_queue(self, payload.size())) return;
    write_control(self, websocket::Opcode::kPing, payload);
    reactor.wants_flush(self);
}

void WebSocketSession::close(Reactor& reactor, Connection& self, uint16_t code, std::string_view reason) {
    if (state_ != State::kOpen) return;
    char payload[websocket::kMaxControlPayloadBytes];
    size_t size = websocket::close_code_allowed_on_wire(code)
                      ? websocket::write_close_payload(payload, code, reason)
                      : 0;
    write_control(self, websocket::Opcode::kClose, {payload, size});
    reactor.wants_flush(self);
    reactor.hide(self);
    reactor.unsubscribe_all(*this);
    state_ = State::kClosing;
    reactor.set_deadline(self, reactor.limits().close_ms);
    // It may wait for a worker to take its messages; now it only waits for the peer's close frame.
    reactor.resume(self);
}

void WebSocketSession::ended(Reactor& reactor, Connection& self) {
    reactor.abort(self);
}

void WebSocketSession::deadline(Reactor& reactor, Connection& self) {
    if (self.waiting && state_ == State::kOpen) {  // for us, not for the client
        reactor.set_deadline(self, reactor.limits().body_ms);
        return;
    }
    if (state_ == State::kOpen) {
        close(reactor, self, websocket::close_code::kPolicyViolation, "the message did not arrive in time");
        reactor.set_close(self, websocket::close_code::kPolicyViolation,
                          "the message did not arrive in time");
        return;
    }
    state_ = State::kClosed;
    reactor.finish(self);
}

void WebSocketSession::release(Reactor& reactor) {
    state_ = State::kClosed;
    reactor.unsubscribe_all(*this);
    room_.reset(reactor.transport());
    if (compression_) {
        return_inflater(reactor);
        reactor.compression().unreserve(compression_->parameters);
        compression_.reset();
    }
}

}  // namespace sluice
