#include "protocol/websocket/websocket_endpoint.h"

#include <cstring>

namespace sluice::websocket {

Endpoint::Endpoint(const Options& options)
    : options_(options), receiver_(options.limits, Role::kClient, options.deflate.has_value()) {}

void Endpoint::feed(std::string_view bytes) {
    // Once next() has said kNeedInput, at most a part of a frame's header is left.
    std::string rest(unread_.data(), unread_.size());
    rest += bytes;
    input_ = std::move(rest);
    unread_ = input_;
}

void Endpoint::enlarge_room() {
    const size_t size = receiver_.needed();
    auto bigger = std::make_unique_for_overwrite<char[]>(size);
    if (receiver_.filled_bytes() > 0)
        std::memcpy(bigger.get(), receiver_.room().data, receiver_.filled_bytes());
    room_ = std::move(bigger);
    receiver_.grant({room_.get(), size});
}

Event Endpoint::next() {
    told_.reset();
    for (;;) {
        const Event event = receiver_.next(unread_);
        switch (event) {
            case Event::kNeedRoom: enlarge_room(); break;
            case Event::kNeedInflater:
                if (!inflater_) inflater_ = std::make_unique<Inflater>(options_.deflate->server_window_bits);
                receiver_.lend(inflater_.get());
                break;
            case Event::kMessage:
                if (receiver_.take_inflater() && !options_.deflate->server_takeover) inflater_->reset();
                [[fallthrough]];
            default:
                if (receiver_.in_room()) told_ = std::move(room_);
                return event;
        }
    }
}

std::string_view Endpoint::frame(Opcode opcode, std::string_view payload, MaskKey key) {
    const bool is_message = opcode == Opcode::kText || opcode == Opcode::kBinary;
    bool compresses = is_message && options_.deflate && payload.size() >= options_.min_bytes &&
                      options_.deflate->client_window_bits >= kMinWindowBits;
    if (compresses) {
        if (!deflater_)
            deflater_ = std::make_unique<Deflater>(options_.deflate->client_window_bits, options_.level);
        deflater_->compress(payload, compressed_);
        if (!options_.deflate->client_takeover) {
            deflater_->reset();
            // With takeover the compressed form must be sent: later messages refer to it.
            compresses = compressed_.size() < payload.size();
        }
        if (compresses) payload = compressed_;
    }
    char header[kMaxFrameHeaderBytes];
    const size_t header_size = write_masked_frame_header(header, opcode, true, payload.size(), key);
    if (compresses) header[0] = static_cast<char>(header[0] | 0x40);
    out_.assign(header, header_size);
    out_ += payload;
    unmask(out_.data() + header_size, payload.size(), key);
    return out_;
}

}  // namespace sluice::websocket
