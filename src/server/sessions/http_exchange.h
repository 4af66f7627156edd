#pragma once

#include <memory>

#include "core/state_machine.h"
#include "protocol/http/error_page.h"
#include "server/reactor/session.h"
#include "server/sessions/access_trail.h"
#include "server/sessions/incoming_request.h"
#include "server/sessions/response_writer.h"

namespace sluice {

/// The state of a request with its worker and its response.
enum class ExchangeState : uint8_t {
    kReading,     ///< no worker has it
    kAwaiting,    ///< a worker has it; nothing of its response has come
    kResponding,  ///< the head of its response has been written
    kAnswered,    ///< the response is complete, or no longer awaited
};
bool may_follow(ExchangeState state, ExchangeState next);

/// The error text when the worker died, and no other worker may handle the request.
inline constexpr std::string_view kWorkerDied = "the worker process died while it handled this request";
inline constexpr http::Error kNothingCameFree{503, "no worker or no memory has become free in time",
                                              "requestSeconds"};

/// One request in progress and its response, independent of the connection's framing. When it is answered,
/// the next request may be read into this object.
class HttpExchange {
  public:
    /// What became of a worker's command.
    enum class Answered : uint8_t {
        kNothing,  ///< unexpected, or more is to come
        kWhole,    ///< the response is complete
        kBroken,   ///< it cannot go on: close the connection to tell the client
    };

    explicit HttpExchange(const ResponseWriter& writer) : writer_(&writer) {}
    /// Moved to another session of the connection, or to where the first request in flight stands.
    HttpExchange(HttpExchange&&) = default;
    HttpExchange& operator=(HttpExchange&&) = default;

    const ResponseWriter& writer() const { return *writer_; }

    // -- The request

    /// A request is there, and may wait for room before its head is read: its time begins.
    void note_arrival();
    /// A head has been read. `endpoint`: the listener that it came by.
    void read(const RequestView& request, uint16_t endpoint);
    /// All of its body has come: from now on it waits for nothing but a worker.
    void note_whole();
    /// See inbound::Request.
    uint32_t waits_since_us() const { return begun_us_ + (incoming_ ? incoming_->whole_after_us : 0); }
    /// The request goes to this endpoint: a route of its listener, or the listener itself.
    void go_to(uint16_t endpoint) {
        endpoint_ = endpoint;
        access.go_to(endpoint);
    }
    /// The endpoint whose handler the request is for.
    uint16_t endpoint() const { return endpoint_; }
    /// No request may follow on this connection.
    void be_last() { keep_alive_ = false; }
    bool keep_alive() const { return keep_alive_; }
    /// Its worker has been told that requests may follow before it is answered.
    void be_pipelined() { is_pipelined_ = true; }
    bool is_pipelined() const { return is_pipelined_; }
    /// A worker has the connection's next request, too: the connection stays open for that.
    void be_followed() { is_followed_ = true; }
    /// The request as it is kept; nullptr: it is not kept.
    IncomingRequest* incoming() const { return incoming_.get(); }
    IncomingRequest& keep();
    /// Keeps the request; does nothing when it is kept already.
    IncomingRequest& keep(const RequestView& request);
    void drop_incoming(SessionHost& host);
    bool streams_body() const { return incoming_ && incoming_->is_stream(); }
    /// Sets the connection's deadline to that of the arriving body.
    void arm(SessionHost& host, Connection& self) const;

    // -- Its worker

    /// A worker has got the request, by this number on the connection.
    void delivered(SessionHost& host, Connection& self, int worker, uint32_t number);
    /// delivered() was called for a worker for requests: while a canary is under way, counts what becomes of
    /// the request.
    void compare(SessionHost& host);
    bool is_awaited() const {
        return state_ == ExchangeState::kAwaiting || state_ == ExchangeState::kResponding;
    }
    bool has_begun_to_respond() const { return state_ == ExchangeState::kResponding; }
    bool is_of(int worker, uint32_t request) const {
        return is_awaited() && request == number_ && worker == worker_;
    }
    uint32_t number() const { return number_; }
    AwaitedResponse awaited() const {
        return is_awaited() ? AwaitedResponse{worker_, number_} : AwaitedResponse{};
    }
    /// Another worker has the request: what the one before was told, it has not heard.
    void moved_to(SessionHost& host, Connection& self, int worker);
    /// The client has gone, or closed its side: cancels the handler if its route wants that.
    void client_left(SessionHost& host, Connection& self);
    /// The request has taken too long: cancels its handler.
    void cancel_overdue(SessionHost& host, const Connection& self);
    /// The worker hands over its response, which has begun: it is awaited of nobody any more. False: it has
    /// no such response, or its request is still arriving.
    bool take_over(SessionHost& host, int worker, uint32_t request);
    /// take_over() was called for this request, whose response is not complete yet.
    bool is_taken_over(uint32_t request) const {
        return has_begun_to_respond() && worker_ == kNoWorker && request == number_;
    }
    /// The response is no longer awaited.
    void give_up(SessionHost& host);

    // -- Its response

    void inform(SessionHost& host, Connection& self, uint16_t status, std::string_view field_lines);
    // A worker's commands for the request; the payload may be kept by reference when `kept` is set.
    void answer(SessionHost& host, Connection& self, int worker, const command::Inform& hints);
    Answered answer(SessionHost& host, Connection& self, int worker, const command::Respond& response,
                    std::string_view body, Ref<Payload> kept);
    Answered answer(SessionHost& host, Connection& self, int worker, const command::BodyPart& part,
                    std::string_view body, Ref<Payload> kept);
    /// A further part of a response that was taken over.
    void write(SessionHost& host, Connection& self, std::string_view body, Ref<Payload> kept);
    /// Ends a response that was taken over.
    Answered end_taken_over(SessionHost& host, Connection& self) { return end(host, self, {}); }
    /// Answers a request that no worker has, with a whole response. An error gets a page with `detail`.
    Answered answer_here(SessionHost& host, Connection& self, uint32_t number, uint16_t status,
                         std::string_view fields, std::string_view detail);
    /// Answers with an error in place of the worker that has the request.
    Answered answer_error(SessionHost& host, Connection& self, uint16_t status, std::string_view detail);
    /// Counts the answer for the metrics. Whoever begins a response by other means than those above calls it.
    void count(const SessionHost& host, uint16_t endpoint, uint16_t status);
    /// Refuses input with a whole response; no worker has it. `fields`: lines beside those of the page.
    void refuse(SessionHost& host, Connection& self, const http::Error& error, std::string_view fields = {});
    /// Gives back all that the exchange holds.
    void release(SessionHost& host);

    AccessTrail access;

  private:
    uint32_t us_since_begin(uint64_t now_us) const {
        return begun_us_ ? static_cast<uint32_t>(now_us) - begun_us_ : 0;
    }
    Answered begin_response(SessionHost& host, Connection& self, const command::Respond& response,
                            std::string_view body, Ref<Payload> kept);
    http::ErrorPage error_page(SessionHost& host, const Connection& self, uint16_t status,
                               std::string_view detail) const;
    Answered end(SessionHost& host, Connection& self, std::string_view trailers);
    /// How the comparison with a canary, if there is one, counts the request.
    enum class Compared : uint8_t { kNo, kOfServing, kOfCanary };
    CanaryCounts* compared_counts(const SessionHost& host) const;
    void begin_to_compare(SessionHost& host);

    const ResponseWriter* writer_;
    std::unique_ptr<IncomingRequest> incoming_;
    uint32_t number_ = 0;
    /// Of monotonic_us() the low half, as a connection has no room for all: what takes more than an hour
    /// counts as less. 0: no request has come.
    uint32_t begun_us_ = 0;
    int16_t worker_ = kNoWorker;
    uint16_t endpoint_ = 0;
    StateMachine<ExchangeState> state_{ExchangeState::kReading};
    http::ErrorFormat wanted_format_ = http::ErrorFormat::kAny;
    uint8_t version_minor_ : 1 = 1;
    bool keep_alive_ : 1 = true;
    bool is_pipelined_ : 1 = false;
    bool is_followed_ : 1 = false;
    bool is_head_ : 1 = false;
    bool has_head_ : 1 = false;  ///< read() was called for a request that is not answered yet
    bool chunked_ : 1 = false;
    bool drops_body_ : 1 = false;
    bool cancelled_ : 1 = false;  ///< the worker has been told to cancel the handler
    http::Method method_ : 4 = http::Method::kOther;
    Compared compared_ : 2 = Compared::kNo;
};

}  // namespace sluice
