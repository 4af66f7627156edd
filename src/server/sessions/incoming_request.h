#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/http1_body.h"
#include "protocol/http/http1_parser.h"
#include "server/config/protocol_limits.h"
#include "server/seam/messages.h"
#include "server/sessions/request_body.h"

namespace sluice {

class SessionHost;
struct Connection;

/// A request as it was read; refers to where it stands.
struct RequestView {
    const http::RequestHead* head;
    std::span<const http::Field> fields;
    std::string_view text;
};

/// It as a message to a worker, as this number on its connection.
Inbound request_message(const RequestView& request, uint32_t number);
/// What a record of one holds at most beside its text and body.
size_t request_overhead(const HttpLimits& limits);
http1::HeadLimits head_limits(const HttpLimits& limits);

/// A request that did not come in one piece, or that has to wait: its head, and its body while it arrives.
class IncomingRequest {
  public:
    enum class Read : uint8_t {
        kMore,    ///< the input is used up
        kWait,    ///< memory is short, or this turn has written enough: try again
        kFull,    ///< a stream: its handler has to read first, or reads no more
        kWhole,   ///< the body is complete
        kFailed,  ///< see error()
    };

    /// The head was read. Everything is copied.
    void keep(const RequestView& request);
    RequestView view() const { return {&head, fields, text}; }

    // -- The body

    /// As far as `receiver` has got with it; the rest has to come in time. `limits` are copied, for a reload
    /// may change them.
    void begin_body(SessionHost& host, Connection& self, const http1::BodyReceiver& receiver,
                    const HttpLimits& limits);
    /// The handler is to read it while it arrives. `waits`: the client, to be asked for it. False with
    /// error() set.
    bool begin_stream(SessionHost& host, bool waits);
    bool is_stream() const { return body_.is_stream(); }
    /// Whether none of it has come from a client that waits to be asked for it.
    bool awaits_continue() const { return head.expect_continue && receiver_.received_bytes() == 0; }
    /// It has been asked for it.
    void asked(uint64_t now_ms);

    std::span<char> window() { return receiver_.window(); }
    void filled(size_t bytes) { receiver_.filled(bytes); }
    /// Takes what has come of a body that is delivered when it is whole.
    Read read(SessionHost& host, ConnectionId connection, std::span<char>& input);
    std::string_view body();
    /// Memory that body() can be delivered in; empty: it has to be copied.
    Room deliverable() { return body_.room().deliverable(); }
    Ref<RequestFile> file() const { return body_.file(); }
    /// A worker has what was deliverable.
    void delivered(SessionHost& host);

    /// Hands what has come of a stream to its handler.
    Read feed(SessionHost& host, ConnectionId connection, std::span<char>& input);
    /// The rest of a stream will not come; the handler is told where it reads.
    void break_off(SessionHost& host, ConnectionId connection, uint16_t status) {
        body_.end_stream(host, connection, status);
    }
    /// Its request is answered: whether the rest may be read, so that another request can follow.
    bool may_drain() const;
    void begin_to_drain(SessionHost& host);
    Read drain(std::span<char>& input);

    const http::Error& error() const { return error_; }
    void release(SessionHost& host) { body_.release(host); }

    // -- Its deadlines, as moments; 0: none

    /// Bytes of the body may have come: whether they have.
    bool note_progress(const SessionHost& host);
    bool is_body_overdue(uint64_t now_ms) const { return body_due_ms_ && body_due_ms_ <= now_ms; }
    /// For the response, while the body arrives: counted from when some of it was taken.
    uint64_t request_due_ms() const { return request_due_ms_; }
    void response_begun() { request_due_ms_ = 0; }
    uint64_t due_ms() const;

    http1::HeadParser parser;
    std::string text;
    http::RequestHead head;
    std::vector<http::Field> fields;

  private:
    http1::BodyReceiver receiver_;
    HttpLimits limits_;
    RequestBody body_;
    http::Error error_;
    uint64_t paced_bytes_ = 0;  ///< of the body, that `body_due_ms_` knows of
    uint64_t body_due_ms_ = 0;  ///< for the next bytes of the body
    uint64_t request_due_ms_ = 0;
    uint64_t drained_bytes_ = 0;
    bool reader_gone_ = false;  ///< the handler reads no more of the stream
};

}  // namespace sluice
