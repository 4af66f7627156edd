// The bytes of an HTTP/2 connection cause the same events however they are cut. Whatever is answered
// meanwhile, there is no event for a stream that has not begun, or has ended.
#include "protocol/http2/http2_server.h"

#include <map>

#include "fuzz_input.h"

using namespace sluice;

namespace {

/// Checks the events of a server against what its interface promises. When it `answers`, the number of a
/// stream decides how: by trailers, by a reset, late, or not at all.
class Peer final : public http2::Events {
  public:
    explicit Peer(bool answers) : answers_(answers) {}

    http2::Server* server = nullptr;
    std::string trace;

    bool on_request(int32_t stream, const http2::RequestBuilder& request,
                    std::span<const http::Field> fields) override {
        fuzz::require(!open_.contains(stream), "a stream begins twice");
        const std::string& text = request.text();
        fuzz::require(request.head().head_bytes == text.size(), "the head is not the whole text");
        fuzz::require(fields.size() == request.head().field_count, "the number of fields is wrong");
        for (const http::Field& field : fields) {
            fuzz::require(size_t{field.value.offset} + field.value.length <= text.size(),
                          "a field lies outside the head");
            note("field", stream, field.name.in(text.data()));
        }
        open_[stream] = {};
        note("request", stream, request.head().target.in(text.data()));
        if (!answers_) return true;
        if (stream % 8 == 7) {
            open_.erase(stream);
            return false;
        }
        if (stream % 8 != 5) {
            server->inform(stream, 103, "Link: </a>\r\n");
            server->respond(stream, 200, "today", "X: y\r\n", std::nullopt, stream % 8 != 3);
            if (stream % 8 == 1) server->set_trailers(stream, "X-Sum: 1\r\n");
        }
        return true;
    }
    void on_bad_request(int32_t stream, const http::Error& error, bool) override {
        fuzz::require(error.status >= 400 && error.status < 600,
                      "the status of a bad request is not an error");
        note("bad", stream, {});
        bad_[stream] = true;
        if (answers_) server->respond(stream, error.status, {}, {}, 0, false);
    }
    void on_data(int32_t stream, std::span<char> bytes) override {
        if (bad_.contains(stream)) return server->credit(stream, bytes.size());
        fuzz::require(open_.contains(stream), "data for a stream that is not open");
        open_[stream].received.append(bytes.data(), bytes.size());
        if (answers_) server->credit(stream, bytes.size());
    }
    void on_end(int32_t stream) override {
        if (bad_.contains(stream)) return;
        fuzz::require(open_.contains(stream), "the end of a stream that is not open");
        note("end", stream, open_[stream].received);
    }
    void on_response_sent(int32_t stream) override {
        fuzz::require(open_.contains(stream) || bad_.contains(stream),
                      "a response was sent on a stream that is not open");
        if (answers_ && !server->input_ended(stream)) server->reset(stream, http2::ErrorCode::kNone);
    }
    void on_closed(int32_t stream) override {
        fuzz::require(open_.erase(stream) + bad_.erase(stream) == 1, "a stream ends twice");
        note("closed", stream, {});
    }
    Available available(int32_t stream) override { return {open_[stream].left, stream % 16 < 8}; }
    Written write_data(int32_t stream, std::string_view head, size_t bytes) override {
        fuzz::require(head.size() == 9, "the head of a frame has not 9 bytes");
        if (stream % 16 == 9 && ++held_ % 3) return Written::kNotNow;
        Stream& state = open_[stream];
        if (state.left < bytes) return Written::kGone;
        state.left -= bytes;
        return Written::kAll;
    }

  private:
    struct Stream {
        std::string received;
        size_t left = 1000;
    };
    void note(const char* what, int32_t stream, std::string_view more) {
        trace += what;
        trace += ' ' + std::to_string(stream) + ' ';
        trace += more;
        trace += '\n';
    }

    bool answers_;
    unsigned held_ = 0;
    std::map<int32_t, Stream> open_;
    std::map<int32_t, bool> bad_;
};

std::string run(std::string_view bytes, fuzz::Cuts cuts, bool answers) {
    http2::Limits limits;
    limits.head_bytes = 300;
    limits.header_fields = 8;
    limits.concurrent_streams = 10;
    limits.stream_resets = limits.pings = limits.settings_frames = limits.empty_frames = 20;
    http1::HeadParser parser({limits.head_bytes, 10});
    Peer peer(answers);
    http2::Server server(limits, parser, peer);
    peer.server = &server;
    bool goes_on = true;
    uint64_t now_ms = 1;
    while (!bytes.empty() && goes_on) {
        fuzz::Block piece(bytes.substr(0, cuts.next(bytes.size())));
        bytes.remove_prefix(piece.span().size());
        goes_on = server.receive(piece.span(), now_ms);
        if (!answers) continue;
        now_ms += 1000;
        for (int i = 0; i < 1000 && !server.next_output().empty(); ++i) {
        }
        if (server.is_failed()) break;
    }
    return peer.trace;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint32_t seed = input.word() | 1;
    std::string bytes;
    if (input.byte() & 1) bytes = std::string(http2::kPreface) + std::string("\0\0\0\4\0\0\0\0\0", 9);
    bytes += input.rest();
    fuzz::require(run(bytes, fuzz::Cuts(0), false) == run(bytes, fuzz::Cuts(seed, 8), false),
                  "the events depend on the cuts");
    run(bytes, fuzz::Cuts(seed, 64), true);
    return 0;
}
