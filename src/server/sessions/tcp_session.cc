#include "server/reactor/reactor.h"

namespace sluice {

void TcpSession::progressed(Reactor& reactor, Connection& self) {
    reactor.set_deadline(self, reactor.limits().body_ms);
}

Progress TcpSession::consume(Reactor& reactor, Connection& self, std::span<char>& input) {
    for (;;) {
        if (self.read_ended && input.empty()) {
            // A client that has shut down its side still gets the answers to what it has sent.
            if (opened_ && self.in_flight == 0) reactor.finish(self);
            if (opened_) return Progress::kClosed;
        }
        if (!reactor.can_deliver(self, std::max(input.size(), kSlotThreshold))) return Progress::kWait;
        if (!opened_) {
            opened_ = true;
            Inbound message;
            message.kind = InboundKind::kOpen;
            reactor.deliver(self, self.worker, message, {});
            self.owes_close = true;
            continue;
        }
        switch (receiver_.next(input)) {
            case tcp::Event::kNeedInput:
                if (!receiver_.in_message()) {
                    reactor.set_deadline(self, 0);
                } else if (self.progressed || !self.deadline_ms) {
                    reactor.set_deadline(self, reactor.limits().body_ms);
                }
                return Progress::kMore;
            case tcp::Event::kNeedRoom:
                if (!room_.grow(reactor.transport(), receiver_.needed(), receiver_.filled_bytes())) {
                    return Progress::kWait;
                }
                receiver_.grant(room_.room());
                break;
            case tcp::Event::kMessage: {
                std::span<char> payload = receiver_.message();
                bulk_ = payload.size() >= kBulkThreshold && receiver_.in_room();
                Inbound message;
                message.kind = InboundKind::kMessage;
                message.binary = true;
                message.payload = {payload.data(), payload.size()};
                deliver_message(reactor, self, message, receiver_.in_room() ? room_.deliverable() : Room{},
                                room_);
                if (receiver_.in_room()) {
                    receiver_.take_room();
                    room_.reset(reactor.transport());
                }
                break;
            }
            case tcp::Event::kError:
                reactor.set_close(self, 1009, receiver_.error());
                reactor.finish(self);
                return Progress::kClosed;
        }
    }
}

void TcpSession::send(Reactor& reactor, Connection& self, const Command& command, Ref<Payload> payload) {
    if (endpoint_->spec.slow_client == SlowClient::kClose && !reactor.has_room(self, command.body.size())) {
        reactor.close_soon(self);
        return;
    }
    if (!reactor.may_queue(self, command.body.size())) return;
    if (payload) {
        self.out.append(std::move(payload));
    } else {
        self.out.append(command.body);
    }
    reactor.wants_flush(self);
}

void TcpSession::ended(Reactor& reactor, Connection& self) {
    reactor.set_close(self, 1000, {});
    reactor.resume(self);
}

void TcpSession::deadline(Reactor& reactor, Connection& self) {
    if (self.waiting) {  // for us, not for the client
        reactor.set_deadline(self, reactor.limits().body_ms);
        return;
    }
    reactor.set_close(self, 1008, "the message did not arrive in time");
    reactor.finish(self);
}

void TcpSession::release(Reactor& reactor) {
    room_.reset(reactor.transport());
}

}  // namespace sluice
