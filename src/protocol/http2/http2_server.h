#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "protocol/http2/http2_budget.h"
#include "protocol/http2/http2_frame_scanner.h"
#include "protocol/http2/http2_request.h"

struct nghttp2_session;
struct nghttp2_session_callbacks;

namespace sluice::http2 {

/// What a client with prior knowledge of HTTP/2 sends first (RFC 9113 sections 3.3 and 3.4).
inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Error codes of RFC 9113 section 7 that we send.
enum class ErrorCode : uint32_t {
    kNone = 0,
    kProtocol = 1,
    kInternal = 2,
    kStreamClosed = 5,
    kFrameSize = 6,
    kRefusedStream = 7,
    kCancel = 8,
    kEnhanceYourCalm = 11,
};

struct Limits {
    uint32_t head_bytes = 16384;
    uint32_t header_fields = 100;
    uint32_t concurrent_streams = 128;
    // Limits within Budget::kPeriodMs
    uint32_t stream_resets = 200;  ///< streams that the client resets, or has us reset
    uint32_t pings = 100;
    uint32_t settings_frames = 100;
    uint32_t empty_frames = 200;  ///< without any effect: empty DATA, PRIORITY, unknown types
    // Limit of one header block
    uint32_t continuations = 7;
    // Flow control windows
    uint32_t stream_window_bytes = 128 * 1024;
    uint32_t connection_window_bytes = 1024 * 1024;
};

/// A Server's events for its driver. None of these may call Server::receive or Server::next_output.
class Events {
  public:
    virtual ~Events() = default;

    /// A request's head. False refuses it (REFUSED_STREAM): it was not processed, and the client may
    /// retry.
    virtual bool on_request(int32_t stream, const RequestBuilder& request,
                            std::span<const http::Field> fields) = 0;
    /// A malformed request, to be answered on its stream.
    virtual void on_bad_request(int32_t stream, const http::Error& error, bool is_head) = 0;
    /// A RST_STREAM frame has come, or was sent.
    virtual void on_reset(bool /*by_us*/) {}
    /// The client has reached the limit of this name: a stream is refused, or the connection ends.
    virtual void on_limit(const char* /*limit*/) {}
    virtual void on_data(int32_t stream, std::span<char> bytes) = 0;
    /// The client sends no more on this stream.
    virtual void on_end(int32_t stream) = 0;
    /// The response has ended and is written.
    virtual void on_response_sent(int32_t stream) = 0;
    /// The stream is closed. Its number must not be used any more.
    virtual void on_closed(int32_t stream) = 0;

    struct Available {
        uint64_t bytes = 0;
        bool ends = false;  ///< no more bytes will follow
    };
    /// What the driver has to send on a stream.
    virtual Available available(int32_t stream) = 0;
    enum class Written : uint8_t {
        kAll,
        kNotNow,  ///< ask again
        kGone,    ///< the stream has lost its bytes, and is to be reset
    };
    /// Takes the head of a DATA frame and the next `bytes` of its stream.
    virtual Written write_data(int32_t stream, std::string_view frame_head, size_t bytes) = 0;
};

/// The server's side of one HTTP/2 connection, over nghttp2's session: bytes in, events out; bytes out by
/// next_output(). Adds what nghttp2 leaves out: rules about streams that are over, and budgets for what
/// costs a client little.
class Server {
  public:
    Server(const Limits& limits, http1::HeadParser& parser, Events& events);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// False: the connection is over; write the rest of next_output(), then close it.
    bool receive(std::span<char> bytes, uint64_t now_ms);
    /// What is to be written next, valid until the next call; empty: nothing, for now. DATA frames do not
    /// come this way but by Events::write_data, called in their order among the other frames.
    std::string_view next_output();
    /// next_output() would return bytes or call Events::write_data().
    bool wants_to_write() const;

    /// Sends an interim response (1xx).
    void inform(int32_t stream, uint16_t status, std::string_view field_lines);
    /// `date` and `length` are left out when empty. `has_body`: bytes follow by Events::available().
    void respond(int32_t stream, uint16_t status, std::string_view date, std::string_view field_lines,
                 std::optional<uint64_t> length, bool has_body);
    /// Sends trailers after the body. Call it before the body ends.
    void set_trailers(int32_t stream, std::string_view field_lines);
    /// Call it when Events::available() has changed.
    void resume(int32_t stream);
    void reset(int32_t stream, ErrorCode code);
    /// The client may send `bytes` more on a stream. Also for closed streams.
    void credit(int32_t stream, size_t bytes);

    /// Announces that no further streams will be taken (GOAWAY); streams on their way are still taken.
    void announce_end();
    /// Takes no further streams.
    void end();
    /// Ends the connection at once, with an error and its reason.
    void fail(ErrorCode code, std::string_view reason);

    size_t streams() const { return streams_.size(); }
    /// The client has ended its side of the stream, or the stream is closed.
    bool input_ended(int32_t stream) const;
    /// The client's first settings have come.
    bool is_ready() const { return ready_; }
    bool is_failed() const { return failed_; }
    /// How many frames have come.
    uint64_t frames() const { return frames_; }
    /// One side has sent GOAWAY, the last stream has ended, and all is written.
    bool is_over() const;
    /// A head has begun and is not complete.
    bool in_head() const { return in_head_; }

    struct Callbacks;

  private:
    struct Stream {
        std::string trailers;
        bool has_trailers = false;
        bool is_new = true;    ///< on_request() has not been called
        bool refused = false;  ///< by nghttp2 or by us: there were no events
        bool remote_ended = false;
        bool reset_by_us = false;
    };
    /// Streams closed so recently that frames for them may still be on their way.
    struct Gone {
        int32_t stream = 0;
        bool reset_by_us = false;
    };
    static constexpr size_t kRemembered = 512;

    void feed(std::span<const char> bytes);
    void begin_frame(const FrameScanner::Head& head);
    void begin_stream_frame(const FrameScanner::Head& head);
    int begin_headers(int32_t stream);
    int finish_request(int32_t stream, bool ended);
    int calm(const char* limit, const char* what);
    void remember(int32_t stream, bool reset_by_us);
    const Gone* find_gone(int32_t stream) const;
    Stream* find(int32_t stream);
    void end_stream(int32_t stream, Stream& state);
    void say_goodbye(ErrorCode code, std::string_view reason);

    Limits limits_;
    http1::HeadParser& parser_;
    Events& events_;
    nghttp2_session* session_ = nullptr;
    FrameScanner scanner_{kPreface.size()};
    RequestBuilder builder_;
    std::unordered_map<int32_t, Stream> streams_;
    std::vector<Gone> gone_;
    size_t gone_next_ = 0;
    uint64_t frames_ = 0;
    Budget resets_, pings_, settings_, empty_frames_;
    uint64_t now_ms_ = 0;
    int32_t last_stream_ = 0;
    int32_t most_stream_ = INT32_MAX;  ///< GOAWAY has excluded higher ones
    uint32_t trailer_fields_ = 0;
    uint32_t continuations_ = 0;  ///< of the head that is being read
    bool ready_ = false;
    bool in_head_ = false;
    bool failed_ = false;
};

}  // namespace sluice::http2
