// HttpSession: a stream of events that a worker has handed over, and that goes on with what is published.

#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/reactor/shared_message.h"
#include "server/sessions/http_session.h"

namespace sluice {

namespace {
/// How often a stream gets a comment, which browsers ignore: proxies close connections that are silent for a
/// minute, and a client that has vanished is found by what it does not acknowledge.
constexpr uint32_t kHeartbeatMs = 20'000;
constexpr std::string_view kHeartbeat = ":\n\n";
}  // namespace

bool HttpSession::take_over_events(SessionHost& host, Connection& self, int worker, uint32_t request) {
    if (topics_) return exchange_.is_taken_over(request);
    if (!exchange_.take_over(host, worker, request)) return false;
    exchange_.be_last();  // the stream goes on until its connection ends
    give_up_behind(host);
    topics_ = std::make_unique<Topics::Subscriptions>();
    if (host.shutting_down()) {
        stop(host, self);
        return false;
    }
    if (self.peer_shut) {
        host.abort(self);
        return false;
    }
    host.set_deadline(self, kHeartbeatMs);
    return true;
}

void HttpSession::send_shared(SessionHost& host, Connection& self, SharedMessage& message) {
    static constexpr size_t kShareThreshold = 512;  // below it a copy is cheaper than a reference
    if (!topics_ || self.phase != Phase::kOpen) return;
    Ref<Payload> event = message.event();
    if (!event) return;
    if (!host.out_budget().has_room(self, event->size())) {
        // The browser connects again, and so learns that it may have missed something.
        host.close_soon(self);
        return;
    }
    const std::string_view text(event->data(), event->size());
    exchange_.write(host, self, text, text.size() < kShareThreshold ? Ref<Payload>{} : std::move(event));
}

void HttpSession::beat(SessionHost& host, Connection& self) {
    if (self.out.empty()) exchange_.write(host, self, kHeartbeat, {});
    host.set_deadline(self, kHeartbeatMs);
}

void HttpSession::leave_topics(SessionHost& host) {
    if (!topics_) return;
    host.unsubscribe_all(*topics_);
    topics_.reset();
}

}  // namespace sluice
