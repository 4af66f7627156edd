#include "server/reactor/shared_message.h"

#include <string>

#include "protocol/http/event_stream.h"
#include "server/reactor/compression.h"

namespace sluice {

Ref<SharedMessage> SharedMessage::create(websocket::Opcode opcode, std::string_view body) {
    Ref<SharedMessage> message = Ref<SharedMessage>::adopt(new SharedMessage);
    char header[websocket::kMaxFrameHeaderBytes];
    message->opcode_ = opcode;
    message->header_bytes_ = websocket::write_frame_header(header, opcode, true, body.size());
    message->plain_ = HeapPayload::copy_of({header, message->header_bytes_}, body);
    return message;
}

std::string_view SharedMessage::body() const {
    return std::string_view(plain_->data(), plain_->size()).substr(header_bytes_);
}

Ref<Payload> SharedMessage::event() {
    if (opcode_ != websocket::Opcode::kText) return {};
    std::lock_guard lock(mutex_);
    if (!event_) {
        http::StreamEvent event;
        event.data = body();
        std::string text(http::event_bound(event), '\0');
        text.resize(http::write_event(event, text.data()));
        event_ = HeapPayload::copy_of(text, {});
    }
    return event_;
}

Ref<Payload> SharedMessage::compressed_frame(uint8_t window_bits, uint8_t level,
                                             CompressionContexts& contexts) {
    std::lock_guard lock(mutex_);
    for (const Compressed& known : compressed_) {
        if (known.window_bits == window_bits && known.level == level) return known.frame;
    }
    Ref<Payload> frame;
    const std::string_view compressed = contexts.compress(body(), window_bits, level);
    if (!compressed.empty()) {
        char header[websocket::kMaxFrameHeaderBytes];
        const size_t size = websocket::write_frame_header(header, opcode_, true, compressed.size(), true);
        frame = HeapPayload::copy_of({header, size}, compressed);
    }
    compressed_.push_back({window_bits, level, frame});
    return frame;
}

}  // namespace sluice
