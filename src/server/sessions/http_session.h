#pragma once

#include <deque>
#include <memory>
#include <string_view>

#include "core/state_machine.h"
#include "server/reactor/session.h"
#include "server/sessions/http_exchange.h"

namespace sluice {

/// The state of an HTTP connection.
enum class HttpState : uint8_t {
    kHead,      ///< between requests, or in the middle of a head
    kRequest,   ///< HTTP/2, or through a proxy: the head is kept, and not handled yet
    kBody,      ///< the head is kept; the body is read
    kDispatch,  ///< complete; no worker can take it yet
    kAwaiting,  ///< a worker has it; the rest of a streamed body may still come
    kDrain,     ///< answered; the rest of its body is discarded
    kSending,   ///< answered; the next request is read once the response is sent
    kEnded,     ///< an error or the last response has been queued
};
bool may_follow(HttpState state, HttpState next);

/// HTTP/1.1, or a stream of HTTP/2: one request at a time; the next one is read when the response is
/// complete. Pipelined requests that need nothing but their worker are given to it before.
class HttpSession final : public Session {
  public:
    explicit HttpSession(const ResponseWriter& writer) : exchange_(writer) {}

    /// Takes the request of an HTTP/2 stream. Copies it.
    void begin_stream(SessionHost& host, Connection& self, const RequestView& request);

    void connected(SessionHost& host, Connection& self) override;
    void waits_unread(SessionHost& host, Connection& self) override {
        await_turn(host, self, Resource::kWorker);
    }
    void refuse(SessionHost& host, Connection& self) override;
    bool begins_request() const override {
        return state_ == State::kHead || state_ == State::kRequest || state_ == State::kDispatch;
    }
    size_t unfinished_bytes() const override;
    void give_up_unfinished(SessionHost& host, Connection& self) override;
    Activity activity(const Connection& self) const override;
    std::span<char> window() override;
    void filled(size_t bytes) override;
    void progressed(SessionHost& host, Connection& self) override;
    Progress consume(SessionHost& host, Connection& self, std::span<char>& input) override;
    void ended(SessionHost& host, Connection& self) override;
    void peer_left(SessionHost& host, Connection& self) override;
    void sent(SessionHost& host, Connection& self) override;
    void command(SessionHost& host, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload) override;
    bool take_over_events(SessionHost& host, Connection& self, int worker, uint32_t request) override;
    void send_shared(SessionHost& host, Connection& self, SharedMessage& message) override;
    Topics::Subscriptions* subscriptions() override { return topics_.get(); }
    AwaitedResponse awaited_response() const override { return exchange_.awaited(); }
    bool is_responding() const override { return exchange_.has_begun_to_respond(); }
    int worker_of(uint32_t request) override;
    void moved_to(SessionHost& host, Connection& self, uint32_t request, int worker) override;
    void worker_lost(SessionHost& host, Connection& self) override;
    void deadline(SessionHost& host, Connection& self) override;
    void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) override;
    void stop(SessionHost& host, Connection& self) override;
    void cut(SessionHost& host, Connection& self) override;
    void release(SessionHost& host) override;

  private:
    using State = HttpState;

    Progress read_head(SessionHost& host, Connection& self, std::span<char>& input);
    bool meets_preface(SessionHost& host, Connection& self, std::span<char>& input, Progress& progress);
    static bool names_clients(SessionHost& host, const Connection& self);
    void name_client(SessionHost& host, Connection& self, const RequestView& request);
    Progress await_turn(SessionHost& host, Connection& self, Resource resource);
    Progress begin(SessionHost& host, Connection& self, std::span<char>& rest, const RequestView& request);
    Progress begin_body(SessionHost& host, Connection& self, const RequestView& request,
                        const http1::BodyReceiver& body, bool nothing_came);
    bool find_route(SessionHost& host, const Connection& self, const RequestView& request);
    Progress turn_away(SessionHost& host, Connection& self, const RequestView& request,
                       bool body_follows = false);
    Progress begin_websocket(Connection& self, int route, const RequestView& request);
    Progress dispatch(SessionHost& host, Connection& self, const RequestView& request, std::string_view body,
                      Room room, bool more_follow);
    void pipeline(SessionHost& host, Connection& self, std::span<char>& input);
    bool begin_pipelined(SessionHost& host, Connection& self, std::span<char>& input);
    HttpExchange* in_flight(uint32_t request);
    void widen_window(SessionHost& host, const Connection& self);
    void begin_followed(SessionHost& host, Connection& self);
    void give_up_behind(SessionHost& host);
    void drop_behind(SessionHost& host);
    void note_body_progress(SessionHost& host, Connection& self);
    Progress read_body(SessionHost& host, Connection& self, std::span<char>& input);
    Progress feed_stream(SessionHost& host, Connection& self, std::span<char>& input);
    Progress drain_body(SessionHost& host, Connection& self, std::span<char>& input);
    void want_body(SessionHost& host, Connection& self, int worker, uint32_t request);
    void fail_stream(SessionHost& host, Connection& self, const http::Error& error);
    void answered(SessionHost& host, Connection& self, HttpExchange::Answered answered);
    void beat(SessionHost& host, Connection& self);
    void leave_topics(SessionHost& host);
    void begin_next(SessionHost& host, Connection& self);
    Progress next_after_answer(SessionHost& host, Connection& self);
    void await_request(SessionHost& host, Connection& self);
    Progress fail(SessionHost& host, Connection& self, const http::Error& error,
                  std::string_view fields = {});

    /// The first request that is not answered, or the next one.
    HttpExchange exchange_;
    /// Requests that its worker has got, too; nullptr: none.
    std::unique_ptr<std::deque<HttpExchange>> behind_;
    std::unique_ptr<Topics::Subscriptions> topics_;  ///< whose messages are the response's events
    uint32_t requests_ = 0;                          ///< requests that workers have got
    StateMachine<State> state_{State::kHead};
    bool awaits_turn_ = false;  ///< its deadline is that of an answer
    uint8_t window_ = 1;        ///< how many requests may be in flight
};

}  // namespace sluice
