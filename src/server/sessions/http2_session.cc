#include "server/sessions/http2_carrier.h"
#include "server/reactor/reactor.h"

namespace sluice {

Http2Session::Http2Session() = default;
Http2Session::~Http2Session() = default;

void Http2Session::begin(Reactor& reactor, Connection& self, std::string kept) {
    carrier_ = std::make_unique<Http2Carrier>(reactor, self);
    if (reactor.shutting_down()) carrier_->stop();
    if (!kept.empty()) carrier_->receive(kept);
}

Progress Http2Session::consume(Reactor&, Connection& self, std::span<char>& input) {
    if (self.phase != Phase::kOpen) return Progress::kClosed;
    if (input.empty()) return Progress::kMore;
    const bool goes_on = carrier_->receive(input);
    input = {};
    return goes_on ? Progress::kMore : Progress::kClosed;
}

void Http2Session::ended(Reactor& reactor, Connection& self) {
    reactor.abort(self);
}

void Http2Session::deadline(Reactor&, Connection&) {
    carrier_->deadline();
}

void Http2Session::release(Reactor&) {
    if (carrier_) carrier_->abort_streams();
    carrier_.reset();
}

void Http2Session::stop() {
    carrier_->stop();
}

void Http2Session::fill() {
    if (carrier_) carrier_->fill();
}

bool Http2Session::has_more() const {
    return carrier_ && carrier_->has_more();
}

}  // namespace sluice
