#include "server/sessions/http2_stream.h"

#include <string>
#include <utility>

namespace sluice {

Http2Stream::~Http2Stream() {
    if (owner_) let_go(StreamEnd::kBroken);
}

void Http2Stream::wants_flush() {
    owner_->server().resume(number);
    owner_->wants_flush();
}

void Http2Stream::credit(size_t bytes) {
    if (!bytes) return;
    held_bytes -= bytes;
    owner_->server().credit(number, bytes);
    owner_->wants_flush();
}

void Http2Stream::credit_rest() {
    owner_->server().credit(number, std::exchange(held_bytes, 0));
}

void Http2Stream::let_go(StreamEnd why) {
    Http2StreamOwner& owner = *std::exchange(owner_, nullptr);
    owner.forget(number);
    owner.server().credit(number, std::exchange(held_bytes, 0));
    owner.server().reset(
        number, why == StreamEnd::kCancelled ? http2::ErrorCode::kCancel : http2::ErrorCode::kInternal);
    owner.wants_flush();
}

void Http2Stream::want_no_more() {
    owner_->server().reset(number, http2::ErrorCode::kNone);
}

void Http2Stream::inform(uint16_t status, std::string_view field_lines) {
    if (owner_) owner_->server().inform(number, status, field_lines);
}

void Http2Stream::respond(uint16_t status, std::string_view date, std::string_view field_lines,
                          std::optional<uint64_t> length, bool has_body) {
    if (owner_) owner_->server().respond(number, status, date, field_lines, length, has_body);
}

void Http2Stream::set_trailers(std::string_view field_lines) {
    if (owner_) owner_->server().set_trailers(number, field_lines);
}

}  // namespace sluice
