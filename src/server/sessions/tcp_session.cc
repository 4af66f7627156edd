#include "server/sessions/tcp_session.h"

#include <algorithm>

#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/deliver_message.h"

namespace sluice {

bool may_follow(TcpState state, TcpState next) {
    return state == TcpState::kAccepted ? next != state
                                        : state == TcpState::kOpen && next == TcpState::kEnded;
}

void TcpSession::connected(SessionHost& host, Connection& self) {
    host.set_deadline(self, 0);
}

void TcpSession::progressed(SessionHost& host, Connection& self) {
    pace_.progressed(host.now_ms(), endpoint_->spec.limits.tcp);
    host.set_deadline_at(self, pace_.due_ms());
}

Activity TcpSession::activity(const Connection& self) const {
    if (self.in_flight > 0) return Activity::kHandling;
    return arriving_ ? Activity::kReading : Activity::kNothing;
}

Progress TcpSession::consume(SessionHost& host, Connection& self, std::span<char>& input) {
    if (self.progressed) pace_.came(input.size());
    for (;;) {
        if (state_ == State::kEnded) return Progress::kClosed;
        if (state_ == State::kOpen && self.read_ended && input.empty()) {
            // A client that has shut down its side still gets the answers to its messages.
            if (self.in_flight == 0) {
                end(host, self);
            } else {
                host.set_deadline(self, host.limits().kill_ms);
            }
            return Progress::kClosed;
        }
        if (!host.can_deliver(self, std::max(input.size(), kExtentThreshold))) return Progress::kWait;
        if (state_ == State::kAccepted) {
            state_.move_to(State::kOpen);
            Inbound message;
            message.what = inbound::Opening{};
            host.deliver(self, self.worker, message, {});
            self.close_pending = true;
            continue;
        }
        if (!arriving_) {
            // So before each read: nothing has to be made for it.
            if (input.empty()) {
                host.set_deadline_at(self, pace_.due_ms());
                return Progress::kMore;
            }
            arriving_ = std::make_unique<ArrivingMessage<tcp::Receiver>>(endpoint_->spec.framing);
        }
        auto& [receiver, room] = *arriving_;
        switch (receiver.next(input)) {
            case tcp::Event::kNeedInput:
                if (!receiver.in_message()) {
                    pace_.ended();
                } else if (self.progressed || !pace_.due_ms()) {
                    pace_.progressed(host.now_ms(), endpoint_->spec.limits.tcp);
                }
                host.set_deadline_at(self, pace_.due_ms());
                if (receiver.at_rest()) arriving_.reset();
                return Progress::kMore;
            case tcp::Event::kNeedRoom:
                if (!room.grow(host.transport(), {self.client_key(), receiver.needed(),
                                                  receiver.filled_bytes(), input.size(), was_long_})) {
                    return wait_for(self, Resource::kArena);
                }
                receiver.grant(room.room());
                break;
            case tcp::Event::kMessage: {
                pace_.ended();
                std::span<char> payload = receiver.message();
                self.count_frames(1, payload.size());
                bulk_ = payload.size() >= kBulkThreshold && receiver.in_room();
                was_long_ = payload.size() >= kExtentThreshold;
                Inbound message;
                message.what = inbound::Message{true};
                message.payload = {payload.data(), payload.size()};
                deliver_message(host, self, message, receiver.in_room() ? room.deliverable() : Room{}, room);
                if (receiver.in_room()) {
                    receiver.take_room();
                    room.reset(host.transport());
                }
                break;
            }
            case tcp::Event::kError:
                if (receiver.limit()) host.count_refusal(receiver.limit());
                self.set_close(1009, receiver.error());
                end(host, self);
                return Progress::kClosed;
        }
    }
}

void TcpSession::end(SessionHost& host, Connection& self) {
    if (state_ != State::kEnded) state_.move_to(State::kEnded);
    host.finish(self);
}

void TcpSession::command(SessionHost& host, Connection& self, int, const Command& command,
                         Ref<Payload> payload) {
    if (command.is<command::Send>()) send(host, self, command.payload, std::move(payload));
    if (command.is<command::Close>()) end(host, self);
}

void TcpSession::send(SessionHost& host, Connection& self, std::string_view bytes, Ref<Payload> payload) {
    if (endpoint_->spec.slow_client == SlowClient::kClose &&
        !host.out_budget().has_room(self, bytes.size())) {
        host.close_soon(self);
        return;
    }
    if (!host.out_budget().may_queue(self, bytes.size())) return;
    if (payload) {
        self.out.append(std::move(payload));
    } else {
        self.out.append(bytes);
    }
    host.wants_flush(self);
}

void TcpSession::handled(SessionHost& host, Connection& self) {
    if (self.read_ended) host.resume(self);
}

void TcpSession::give_up_unfinished(SessionHost& host, Connection& self) {
    self.set_close(1013, kNoRoomSentence);
    arriving_->room.reset(host.transport());
    arriving_.reset();
    host.count_refusal("arenaBytes");
    end(host, self);
}

void TcpSession::close(SessionHost& host, Connection& self, uint16_t, std::string_view) {
    end(host, self);
}

void TcpSession::stop(SessionHost& host, Connection& self) {
    end(host, self);
}

void TcpSession::ended(SessionHost& host, Connection& self) {
    self.set_close(1000, {});
    host.resume(self);
}

void TcpSession::deadline(SessionHost& host, Connection& self) {
    if (self.awaits_server()) {
        pace_.begin_again(host.now_ms(), endpoint_->spec.limits.tcp);
        host.set_deadline_at(self, pace_.due_ms());
        return;
    }
    if (self.read_ended) {
        // Bytes that wait for the client have a deadline of their own.
        const uint64_t since_ms = self.out.empty() ? self.active_ms : host.now_ms();
        if (since_ms + host.limits().kill_ms > host.now_ms()) {
            host.set_deadline_at(self, since_ms + host.limits().kill_ms);
            return;
        }
    }
    host.count_refusal(self.read_ended ? "killSeconds" : "messageSeconds");
    self.set_close(1008, self.read_ended ? "its last messages were not answered in time"
                                         : "the message did not arrive in time");
    end(host, self);
}

void TcpSession::release(SessionHost& host) {
    if (arriving_) arriving_->room.reset(host.transport());
}

}  // namespace sluice
