#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocol/http/http1_body.h"
#include "protocol/http/http1_parser.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/reactor/session.h"
#include "server/sessions/access_trail.h"
#include "server/sessions/request_body.h"

namespace sluice {

/// HTTP/1.1: one request at a time; the next one is read when the response is complete.
class HttpSession final : public Session {
  public:
    /// On a stream of HTTP/2: its request. All of it is copied.
    void begin_stream(SessionHost& host, Connection& self, const http::RequestHead& head,
                      std::span<const http::Field> fields, std::string_view text);

    void connected(SessionHost& host, Connection& self) override;
    std::span<char> window() override;
    void filled(size_t bytes) override;
    void progressed(SessionHost& host, Connection& self) override;
    Progress consume(SessionHost& host, Connection& self, std::span<char>& input) override;
    void ended(SessionHost& host, Connection& self) override;
    void peer_left(SessionHost& host, Connection& self) override;
    void sent(SessionHost& host, Connection& self) override;
    void command(SessionHost& host, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload) override;
    OwedResponse owed_response() const override;
    void moved_to(int worker) override { worker_ = static_cast<int16_t>(worker); }
    void worker_lost(SessionHost& host, Connection& self) override;
    void deadline(SessionHost& host, Connection& self) override;
    void close(SessionHost& host, Connection& self, uint16_t code, std::string_view reason) override;
    void stop(SessionHost& host, Connection& self) override;
    void cut(SessionHost& host, Connection& self) override;
    void release(SessionHost& host) override;

  private:
    enum class State : uint8_t {
        kHead,      ///< between requests, or in the middle of a head
        kRequest,   ///< HTTP/2: the head is kept in `exchange_`, nothing has been done about it
        kBody,      ///< the head is kept in `exchange_`
        kDispatch,  ///< complete in `exchange_`; no worker can take it yet
        kAwaiting,  ///< a worker has it; the rest of a streamed body may still be in `exchange_`
        kDrain,     ///< answered; what is left of its body is thrown away
        kGranted,   ///< a worker has accepted the handshake in `exchange_`; none can take the opening yet
        kFailed,    ///< an error has been answered
    };
    /// A request that did not arrive in one piece.
    struct Exchange {
        http1::HeadParser parser;
        std::string text;
        http::RequestHead head;
        std::vector<http::Field> fields;
        http1::BodyReceiver body;
        RequestBody incoming;
        uint64_t paced_bytes = 0;     ///< of the body, that `body_due_ms` knows of
        uint64_t body_due_ms = 0;     ///< for the next bytes of the body; 0: none is waited for
        uint64_t request_due_ms = 0;  ///< for the response, while the body arrives; 0: none
        uint64_t drained_bytes = 0;   ///< kDrain
        bool reader_gone = false;     ///< kAwaiting: the handler reads no more of the body
        std::string granted_fields, granted_protocol;  ///< kGranted
    };
    struct RequestView {
        const http::RequestHead* head;
        std::span<const http::Field> fields;
        std::string_view text;
    };

    Progress read_head(SessionHost& host, Connection& self, std::span<char>& input);
    bool meets_preface(SessionHost& host, Connection& self, std::span<char>& input, Progress& progress);
    Progress begin(SessionHost& host, Connection& self, std::span<char>& rest, const http::RequestHead& head,
                   std::span<const http::Field> fields, std::string_view text);
    Progress read_body(SessionHost& host, Connection& self, std::span<char>& input);
    void say_continue(SessionHost& host, Connection& self);
    Progress feed_stream(SessionHost& host, Connection& self, std::span<char>& input);
    Progress drain_body(SessionHost& host, Connection& self, std::span<char>& input);
    void keep_exchange(const http::RequestHead& head, std::span<const http::Field> fields,
                       std::string_view text);
    bool streams_body() const { return exchange_ && exchange_->incoming.is_stream(); }
    bool may_drain() const;
    void begin_to_drain(SessionHost& host, Connection& self);
    void fail_stream(SessionHost& host, Connection& self, const http::Error& error);
    void note_body_progress(SessionHost& host, Connection& self);
    void arm_body(SessionHost& host, Connection& self);
    void drop_exchange(SessionHost& host);
    Progress dispatch(SessionHost& host, Connection& self, const http::RequestHead& head,
                      std::span<const http::Field> fields, std::string_view text, std::string_view body,
                      Room room);
    Progress upgrade(SessionHost& host, Connection& self, int route, const http::RequestHead& head,
                     std::span<const http::Field> fields, std::string_view text);
    Progress ask(SessionHost& host, Connection& self, int route, const http::RequestHead& head,
                 std::span<const http::Field> fields, std::string_view text);
    void stop_asking(SessionHost& host);
    void granted(SessionHost& host, Connection& self, const Command& command);
    Progress become_websocket(SessionHost& host, Connection& self, int route, const RequestView& request,
                              std::string_view protocol, std::string_view fields_of_handler);
    Progress fail(SessionHost& host, Connection& self, const http::Error& error);
    void remember(const http::RequestHead& head);
    Progress refuse_websocket(SessionHost& host, Connection& self,
                              const websocket::HandshakeRefusal& refusal);
    void respond(SessionHost& host, Connection& self, int worker, const Command& command,
                 Ref<Payload> payload);
    void respond_more(SessionHost& host, Connection& self, int worker, const Command& command,
                      Ref<Payload> payload);
    void want_body(SessionHost& host, Connection& self, int worker, const Command& command);
    void cancel_if_wanted(SessionHost& host, Connection& self);
    void write_early_hints(SessionHost& host, Connection& self, const Command& command);
    void write_body(SessionHost& host, Connection& self, const Command& command, Ref<Payload> payload);
    void complete(SessionHost& host, Connection& self);
    void begin_next(SessionHost& host, Connection& self);
    void await_request(SessionHost& host, Connection& self);
    void respond_with_error(SessionHost& host, Connection& self, uint16_t status, std::string_view text);

    std::unique_ptr<Exchange> exchange_;
    AccessTrail access_;
    uint32_t request_ = 0;
    int16_t worker_ = kNoWorker;
    State state_ = State::kHead;
    uint8_t version_minor_ = 1;
    bool keep_alive_ : 1 = true;
    bool is_head_ : 1 = false;
    bool head_sent_ : 1 = false;
    bool chunked_ : 1 = false;
    bool drops_body_ : 1 = false;
    bool asking_ : 1 = false;          ///< kAwaiting: the application decides on a WebSocket's handshake
    bool awaits_sending_ : 1 = false;  ///< the next request is read when this response has been sent
    bool cancelled_ : 1 = false;       ///< the worker has been told that nobody waits for the response
};

}  // namespace sluice
