#pragma once

#include <memory>

#include "core/state_machine.h"
#include "protocol/http/error_page.h"
#include "server/reactor/session.h"
#include "server/sessions/access_trail.h"
#include "server/sessions/incoming_request.h"
#include "server/sessions/response_writer.h"

namespace sluice {

/// Where a request stands with its worker and its response.
enum class ExchangeState : uint8_t {
    kReading,     ///< no worker has it
    kAwaiting,    ///< a worker has it; nothing of its response has come
    kResponding,  ///< the head of its response has been written
    kAnswered,    ///< the response is complete, or nobody waits for it any more
};
bool may_follow(ExchangeState state, ExchangeState next);

/// What a client is told whose worker has died, and whose request no worker took.
inline constexpr std::string_view kWorkerDied = "the worker process died while it handled this request";
inline constexpr http::Error kNothingCameFree{503, "no worker or no memory has become free in time"};

/// One request in progress and its response: what is known of it apart from the connection that it came by.
/// When it is answered, the next one may be read into it.
class HttpExchange {
  public:
    /// What became of a worker's command.
    enum class Answered : uint8_t {
        kNothing,  ///< nobody has asked for it, or there is more to come
        kWhole,    ///< the response is complete
        kBroken,   ///< it cannot go on: only the end of the connection can tell the client
    };

    explicit HttpExchange(const ResponseWriter& writer) : writer_(&writer) {}
    /// To another session of the same connection.
    HttpExchange(HttpExchange&&) = default;

    const ResponseWriter& writer() const { return *writer_; }

    // -- The request

    /// Its head says so. `endpoint`: the listener that it came by.
    void read(const RequestView& request, uint16_t endpoint);
    /// It goes to a route of that listener, or to none.
    void go_to(uint16_t endpoint) {
        endpoint_ = endpoint;
        access.go_to(endpoint);
    }
    /// Whose handler it is for.
    uint16_t endpoint() const { return endpoint_; }
    /// No further one after it.
    void be_last() { keep_alive_ = false; }
    bool keep_alive() const { return keep_alive_; }
    /// What is kept of it; nullptr: nothing has to be.
    IncomingRequest* incoming() const { return incoming_.get(); }
    IncomingRequest& keep();
    /// Nothing happens when it is kept already.
    IncomingRequest& keep(const RequestView& request);
    void drop_incoming(SessionHost& host);
    bool streams_body() const { return incoming_ && incoming_->is_stream(); }
    /// The deadline of the connection is now that of what arrives.
    void arm(SessionHost& host, Connection& self) const;

    // -- Its worker

    /// One has got it, as this number on the connection.
    void delivered(SessionHost& host, Connection& self, int worker, uint32_t number);
    bool is_owed() const {
        return state_ == ExchangeState::kAwaiting || state_ == ExchangeState::kResponding;
    }
    bool has_begun_to_respond() const { return state_ == ExchangeState::kResponding; }
    bool is_of(int worker, uint32_t request) const {
        return is_owed() && request == number_ && worker == worker_;
    }
    OwedResponse owed() const { return is_owed() ? OwedResponse{worker_, number_} : OwedResponse{}; }
    void moved_to(int worker) { worker_ = static_cast<int16_t>(worker); }
    /// The client has gone, or its side has: the handler is told if its route wants that.
    void client_left(SessionHost& host, Connection& self);
    /// It has taken too long.
    void cancel_overdue(SessionHost& host, const Connection& self);
    /// Nobody waits for its response any more.
    void give_up(SessionHost& host);

    // -- Its response

    void inform(SessionHost& host, Connection& self, uint16_t status, std::string_view field_lines);
    // What a worker says of it, with the command's payload; that may be kept by reference when `kept` is set.
    void answer(SessionHost& host, Connection& self, int worker, const command::Inform& hints);
    Answered answer(SessionHost& host, Connection& self, int worker, const command::Respond& response,
                    std::string_view body, Ref<Payload> kept);
    Answered answer(SessionHost& host, Connection& self, int worker, const command::BodyPart& part,
                    std::string_view body, Ref<Payload> kept);
    /// In place of a worker, to a request that none has: a whole response. An error has a page with `detail`.
    Answered answer_here(SessionHost& host, Connection& self, uint32_t number, uint16_t status,
                         std::string_view fields, std::string_view detail);
    /// In place of the worker that has it.
    Answered answer_error(SessionHost& host, Connection& self, uint16_t status, std::string_view detail);
    /// A whole response to what no worker has answered. `fields`: lines beside those of the page.
    void refuse(SessionHost& host, Connection& self, const http::Error& error, std::string_view fields = {});
    /// All that it holds goes back.
    void release(SessionHost& host);

    AccessTrail access;

  private:
    Answered begin_response(SessionHost& host, Connection& self, const command::Respond& response,
                            std::string_view body, Ref<Payload> kept);
    void write(SessionHost& host, Connection& self, std::string_view body, Ref<Payload> kept);
    http::ErrorPage error_page(SessionHost& host, const Connection& self, uint16_t status,
                               std::string_view detail) const;
    Answered end(SessionHost& host, Connection& self, std::string_view trailers);

    const ResponseWriter* writer_;
    std::unique_ptr<IncomingRequest> incoming_;
    uint32_t number_ = 0;
    int16_t worker_ = kNoWorker;
    uint16_t endpoint_ = 0;
    StateMachine<ExchangeState> state_{ExchangeState::kReading};
    http::ErrorFormat wanted_format_ = http::ErrorFormat::kAny;
    uint8_t version_minor_ : 1 = 1;
    bool keep_alive_ : 1 = true;
    bool is_head_ : 1 = false;
    bool has_head_ : 1 = false;  ///< read() was called for the request, which is not answered
    bool chunked_ : 1 = false;
    bool drops_body_ : 1 = false;
    bool cancelled_ : 1 = false;  ///< the worker has been told that nobody waits for the response
};

}  // namespace sluice
