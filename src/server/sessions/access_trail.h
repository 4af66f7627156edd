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

/// The lines of the access log that a connection, or a stream of HTTP/2, owes: that of its current request,
/// and those of responses which have been queued and not all sent. Without an access log it does nothing.
class AccessTrail {
  public:
    /// A request has been read. Again, when it has to wait: its time goes on.
    void begin(const SessionHost& host, const Connection& self, const http::RequestHead& head,
               std::span<const http::Field> fields, std::string_view text);
    /// It goes to this endpoint.
    void go_to(uint16_t endpoint) {
        if (last_) last_->route = endpoint;
    }
    /// What came is no request, or not all of one; ignored when begin() was called.
    void begin_unreadable(const SessionHost& host, const Connection& self, std::string_view text);
    /// Its client has gone, or closed its side, and its handler is cancelled.
    void client_left() {
        if (last_) last_->client_left = true;
    }
    /// The head of its response goes out. What a cancelled handler leaves to say, 503, reaches nobody.
    void respond(uint16_t status) {
        if (last_ && !(last_->client_left && status == 503)) last_->status = status;
    }
    /// Bytes of its body go out.
    void count(uint64_t body_bytes) {
        if (last_) last_->body_bytes += body_bytes;
    }
    /// The response is complete.
    void end();
    /// All that was queued has been sent.
    void all_sent(const SessionHost& host, const Connection& self) {
        if (first_) write(host, self, 0);
    }
    /// The connection ends, and this much of what was queued has not been sent.
    void cut(const SessionHost& host, const Connection& self, uint64_t unsent_bytes);

  private:
    void add(std::unique_ptr<AccessRecord> record);
    void write(const SessionHost& host, const Connection& self, uint64_t unsent_bytes);

    std::unique_ptr<AccessRecord> first_;
    AccessRecord* last_ = nullptr;  ///< while its request is the current one
};

}  // namespace sluice
