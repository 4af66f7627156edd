#pragma once

#include <unordered_map>

#include "core/state_machine.h"
#include "protocol/http2/http2_server.h"
#include "server/reactor/session_host.h"
#include "server/sessions/http2_stream.h"

namespace sluice {

/// Whether an HTTP/2 connection takes further streams.
enum class Http2State : uint8_t {
    kServing,
    kAnnounced,  ///< for a moment still: the client has got a first GOAWAY
    kEnding,     ///< no: existing streams come to their end
    kEnded,      ///< the queue holds the last bytes
};
bool may_follow(Http2State state, Http2State next);

/// One HTTP/2 connection that carries streams, each a Connection of its own in the reactor's table. Its
/// Http2Session owns it.
class Http2Carrier final : public http2::Events, public Http2StreamOwner {
  public:
    Http2Carrier(SessionHost& host, Connection& self);
    ~Http2Carrier() override;

    /// False: the connection is over, and ends once everything is written.
    bool receive(std::span<char> input);
    /// Moves bytes to be sent into the connection's queue, up to a bound.
    void fill();
    /// Whether fill() has left some.
    bool has_more() const { return server_.wants_to_write(); }
    void deadline();
    /// Ends the connection once its existing streams have ended.
    void stop();
    void abort_streams();

    Activity activity() const;
    /// Bytes that wait for the client, of all streams.
    size_t queued_bytes() const;

    // -- Http2StreamOwner

    http2::Server& server() override { return server_; }
    Connection& connection() override { return self_; }
    void wants_flush() override { host_.wants_flush(self_); }
    void forget(int32_t number) override { streams_.erase(number); }

    // -- http2::Events

    bool on_request(int32_t number, const http2::RequestBuilder& request,
                    std::span<const http::Field> fields) override;
    void on_bad_request(int32_t number, const http::Error& error, bool is_head) override;
    void on_reset(bool by_us) override;
    void on_limit(const char* limit) override { host_.count_refusal(limit); }
    void on_data(int32_t number, std::span<char> bytes) override;
    void on_end(int32_t number) override;
    void on_response_sent(int32_t number) override;
    void on_closed(int32_t number) override;
    Available available(int32_t number) override;
    Written write_data(int32_t number, std::string_view frame_head, size_t bytes) override;

  private:
    using State = Http2State;
    /// What the client has to send next.
    enum class Awaited : uint8_t { kHead, kRequest, kNothing };

    Connection* find(int32_t number) const;
    void set_deadline();
    void finish();
    void fail_all();

    SessionHost& host_;
    Connection& self_;
    std::unordered_map<int32_t, Connection*> streams_;
    std::unordered_map<int32_t, std::string> refusals_;  ///< bodies of answers to bad requests
    http2::Server server_;
    StateMachine<State> state_{State::kServing};
    Awaited awaited_ = Awaited::kHead;
};

}  // namespace sluice
