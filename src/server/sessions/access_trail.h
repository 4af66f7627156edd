#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"
#include "server/sessions/access_log.h"

namespace sluice {

class SessionHost;
struct Connection;

/// The pending lines of the access log of one connection or HTTP/2 stream: for its current request, and for
/// responses that are queued and not all sent. Without an access log it does nothing.
class AccessTrail {
  public:
    /// A request has been read. May be called again when it had to wait: its time goes on.
    void begin(const SessionHost& host, const Connection& self, const http::RequestHead& head,
               std::span<const http::Field> fields, std::string_view text);
    /// The number that the request has on its connection.
    void number(uint32_t number) {
        if (last_) last_->number = number;
    }
    /// The request goes to this endpoint.
    void go_to(uint16_t endpoint) {
        if (last_) last_->route = endpoint;
    }
    /// A malformed or incomplete request came; ignored when begin() was called.
    void begin_unreadable(const SessionHost& host, const Connection& self, std::string_view text);
    /// The client has gone, or closed its side, and the handler is cancelled.
    void client_left() {
        if (last_) last_->client_left = true;
    }
    /// The head of the response is queued. A cancelled handler's 503 is ignored: it reaches nobody.
    void respond(uint16_t status) {
        if (last_ && !(last_->client_left && status == 503)) last_->status = status;
    }
    /// Bytes of the response's body are queued.
    void count(uint64_t body_bytes) {
        if (last_) last_->body_bytes += body_bytes;
    }
    /// The response is complete.
    void end();
    /// All that was queued has been sent.
    void all_sent(const SessionHost& host, const Connection& self) {
        if (first_) write(host, self, 0);
    }
    /// Goes on with the lines of the connection's next request, which `next` has begun.
    void go_on(AccessTrail&& next);
    /// The connection ends; `unsent_bytes` of its queue have not been sent.
    void cut(const SessionHost& host, const Connection& self, uint64_t unsent_bytes);

  private:
    void add(std::unique_ptr<AccessRecord> record);
    void write(const SessionHost& host, const Connection& self, uint64_t unsent_bytes);

    std::unique_ptr<AccessRecord> first_;
    AccessRecord* last_ = nullptr;  ///< the current request's; nullptr: none
};

}  // namespace sluice
