// WebSocketSession: sending to the client, and what happens when the client is slow.

#include "core/clock.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/reactor/shared_message.h"
#include "server/sessions/websocket_session.h"

namespace sluice {

void WebSocketSession::send(SessionHost& host, Connection& self, bool binary, std::string_view message,
                            Ref<Payload> payload) {
    // Checked with the uncompressed size, so that a dropped message is not compressed in vain.
    if (!sends() || !make_room(host, self, message.size())) return;
    std::string_view compressed;
    if (compression_ && message.size() >= compression_->min_bytes) {
        compressed = host.compression().compress_for(*compression_, message);
    }
    char header[websocket::kMaxFrameHeaderBytes];
    size_t size = websocket::write_frame_header(
        header, binary ? websocket::Opcode::kBinary : websocket::Opcode::kText, true,
        compressed.empty() ? message.size() : compressed.size(), !compressed.empty());
    const std::string_view body = compressed.empty() ? message : compressed;
    if (is_behind(self, body.size())) {
        hold_back(host, self, HeapPayload::copy_of({header, size}, body));
        return;
    }
    self.out.append({header, size});
    if (compressed.empty() && payload) {
        self.out.append(std::move(payload));
    } else {
        self.out.append(body);
    }
    host.wants_flush(self);
}

/// Whether a message may be queued; applies the policy when the client is slow.
bool WebSocketSession::make_room(SessionHost& host, Connection& self, size_t bytes) {
    switch (slow_client_) {
        case SlowClient::kWait:
        case SlowClient::kDropNewest: return host.out_budget().may_queue(self, bytes);
        case SlowClient::kDropOldest: return true;  // see hold_back()
        case SlowClient::kClose:
            if (host.out_budget().has_room(self, bytes)) return true;
            host.close_soon(self);
            return false;
    }
    return false;
}

bool WebSocketSession::is_behind(const Connection& self, size_t bytes) const {
    if (slow_client_ != SlowClient::kDropOldest) return false;
    return backlog_ || (!self.out.empty() && self.out.bytes() + bytes > kHandOnBytes);
}

/// Keeps the newest message, whatever it displaces.
void WebSocketSession::hold_back(SessionHost& host, Connection& self, Ref<Payload> frame) {
    if (!backlog_) backlog_ = std::make_unique<Backlog>();
    backlog_->add(std::move(frame));
    while (backlog_->count() > 1 &&
           (self.out.bytes() + backlog_->bytes() > host.sending(self.endpoint).queued_bytes ||
            host.out_budget().is_full()))
        host.out_budget().count_dropped(self, backlog_->take_oldest()->size());
    host.wants_flush(self);
}

void WebSocketSession::hand_on(Connection& self, size_t most_bytes) {
    if (!holds_back()) return;
    while (!backlog_->empty() && self.out.bytes() < most_bytes)
        self.out.append(backlog_->take_oldest());
    if (backlog_->empty()) backlog_.reset();
}

void WebSocketSession::send_shared(SessionHost& host, Connection& self, SharedMessage& message) {
    static constexpr size_t kShareThreshold = 512;  // below it a copy is cheaper than a reference
    if (!sends() || !make_room(host, self, message.plain_frame()->size())) return;
    Ref<Payload> frame;
    if (compression_ && message.body_bytes() >= compression_->min_bytes) {
        frame = message.compressed_frame(compression_->parameters.server_window_bits, compression_->level,
                                         host.compression());
        // The message enters the client's window, but not that of this connection's own deflater.
        if (frame) compression_->deflater_is_behind = true;
    }
    if (!frame) frame = message.plain_frame();
    if (is_behind(self, frame->size())) {
        hold_back(host, self, std::move(frame));
        return;
    }
    if (frame->size() < kShareThreshold) {
        self.out.append({frame->data(), frame->size()});
    } else {
        self.out.append(frame);
    }
    host.wants_flush(self);
}

void WebSocketSession::ping(SessionHost& host, Connection& self, std::string_view payload) {
    if (!sends() || payload.size() > websocket::kMaxControlPayloadBytes) return;
    if (!host.out_budget().may_queue(self, payload.size())) return;
    if (!heartbeat_) heartbeat_ = std::make_unique<Heartbeat>();
    heartbeat_->payload = payload;
    heartbeat_->sent_us = monotonic_us();
    write_control(self, websocket::Opcode::kPing, payload);
    host.wants_flush(self);
}

void WebSocketSession::sent(SessionHost& host, Connection& self) {
    if (holds_back()) host.wants_flush(self);
}

}  // namespace sluice
