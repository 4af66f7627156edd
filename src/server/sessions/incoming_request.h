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

/// A view of a request that was read.
struct RequestView {
    const http::RequestHead* head;
    std::span<const http::Field> fields;
    std::string_view text;
};

/// The request as a message to a worker, by this number on its connection. `waits_since_us`: see
/// inbound::Request.
Inbound request_message(const RequestView& request, uint32_t number, uint32_t waits_since_us);
/// Upper bound of a request's record without its text and body.
size_t request_overhead(const HttpLimits& limits);
http1::HeadLimits head_limits(const HttpLimits& limits);

/// A request that has not come in one piece, or has to wait: its head, and its body while it arrives.
class IncomingRequest {
  public:
    enum class Read : uint8_t {
        kMore,    ///< the input is used up
        kWait,    ///< memory is short: try again
        kYield,   ///< this turn has written enough to files
        kFull,    ///< a stream: wait for the handler to read, or it reads no more
        kWhole,   ///< the body is complete
        kFailed,  ///< see error()
    };

    /// Keeps the head that was read. Copies everything.
    void keep(const RequestView& request);
    RequestView view() const { return {&head, fields, text}; }

    // -- The body

    /// Begins with the state of `receiver`; the rest of the body has a deadline. Copies `limits`, for a
    /// reload may change them.
    void begin_body(SessionHost& host, Connection& self, const http1::BodyReceiver& receiver,
                    const HttpLimits& limits);
    /// The handler will read the body while it arrives. `waits`: the client waits for 100 (Continue). False
    /// with error() set.
    bool begin_stream(SessionHost& host, bool waits);
    bool is_stream() const { return body_.is_stream(); }
    /// Whether the client waits for 100 (Continue) and has sent no body yet.
    bool awaits_continue() const { return head.expect_continue && receiver_.received_bytes() == 0; }
    /// 100 (Continue) has been sent.
    void asked(uint64_t now_ms);

    std::span<char> window() const;
    void filled(size_t bytes);
    /// Takes input of a body that is delivered when it is whole.
    Read read(SessionHost& host, ConnectionId connection, std::span<char>& input);
    std::string_view body();
    /// The room in which body() can be delivered; empty: body() must be copied.
    Room deliverable() { return body_.room().deliverable(); }
    Ref<RequestFile> file() const { return body_.file(); }
    /// What its body takes of the transport's memory.
    size_t extent_bytes() const { return body_.room().extent_bytes(); }
    /// deliverable() has been delivered.
    void delivered(SessionHost& host);

    /// Hands input of a streamed body to its handler.
    Read feed(SessionHost& host, ConnectionId connection, std::span<char>& input);
    /// Bytes of a streamed body were received straight into its window.
    void note_streamed(const SessionHost& host);
    /// The rest of a streamed body will not come; tells the handler in its stream.
    void break_off(SessionHost& host, ConnectionId connection, uint16_t status) {
        body_.end_stream(host, connection, status);
    }
    /// After the answer: whether the rest of the body may be read, so that another request can follow.
    bool may_drain() const;
    void begin_to_drain(SessionHost& host);
    Read drain(std::span<char>& input);

    const http::Error& error() const { return error_; }
    void release(SessionHost& host) { body_.release(host); }

    // -- Its deadlines, by now_ms(); 0: none

    /// Call it when bytes of the body may have come; returns whether they have, and moves the deadline.
    bool note_progress(const SessionHost& host);
    bool is_body_overdue(uint64_t now_ms) const { return body_due_ms_ && body_due_ms_ <= now_ms; }
    /// The response's deadline while the body arrives: counted from the last bytes taken.
    uint64_t request_due_ms() const { return request_due_ms_; }
    void response_begun() { request_due_ms_ = 0; }
    uint64_t due_ms() const;

    http1::HeadParser parser;
    std::string text;
    http::RequestHead head;
    std::vector<http::Field> fields;
    uint32_t whole_after_us = 0;  ///< how long its body has taken to come

  private:
    http1::BodyReceiver receiver_;
    HttpLimits limits_;
    RequestBody body_;
    http::Error error_;
    uint64_t paced_bytes_ = 0;  ///< bytes of the body that `body_due_ms_` accounts for
    uint64_t body_due_ms_ = 0;  ///< for the next bytes of the body
    uint64_t request_due_ms_ = 0;
    uint64_t drained_bytes_ = 0;
    bool reader_gone_ = false;  ///< the handler reads no more of the stream
};

}  // namespace sluice
