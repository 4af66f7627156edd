#include "server/sessions/http2_session.h"

#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/http2_carrier.h"

namespace sluice {

Http2Session::Http2Session() = default;
Http2Session::~Http2Session() = default;

void Http2Session::begin(SessionHost& host, Connection& self, std::string kept) {
    carrier_ = std::make_unique<Http2Carrier>(host, self);
    if (host.shutting_down()) carrier_->stop();
    if (!kept.empty()) carrier_->receive(kept);
}

Activity Http2Session::activity(const Connection&) const {
    return carrier_ ? carrier_->activity() : Activity::kNothing;
}

Progress Http2Session::consume(SessionHost&, Connection& self, std::span<char>& input) {
    if (self.phase != Phase::kOpen) return Progress::kClosed;
    if (input.empty()) return Progress::kMore;
    const bool goes_on = carrier_->receive(input);
    input = {};
    return goes_on ? Progress::kMore : Progress::kClosed;
}

void Http2Session::ended(SessionHost& host, Connection& self) {
    host.abort(self);
}

void Http2Session::deadline(SessionHost&, Connection&) {
    carrier_->deadline();
}

void Http2Session::close(SessionHost& host, Connection& self, uint16_t, std::string_view) {
    host.finish(self);
}

void Http2Session::stop(SessionHost&, Connection&) {
    carrier_->stop();
}

void Http2Session::release(SessionHost&) {
    if (carrier_) carrier_->abort_streams();
    carrier_.reset();
}

void Http2Session::fill_queue(Connection&) {
    if (carrier_) carrier_->fill();
}

void Http2Session::sent(SessionHost& host, Connection& self) {
    if (carrier_ && carrier_->has_more()) host.wants_flush(self);
}

}  // namespace sluice
