#include "server/master/script_port.h"

#include <poll.h>

namespace sluice {

ScriptPort::ScriptPort(SharedLayout layout, const Limits& limits, ScriptSeat seat)
    : RequestPort(std::move(layout), limits, {}, {}, 0), seat_(std::move(seat)) {
    link().connect(std::move(seat_.socket));
}

bool ScriptPort::take(Inbound& message) {
    if (seat_.most_requests && served_ >= seat_.most_requests) return false;
    script_.clear();
    if (!receive_request(message)) return false;
    state_ = State::kHandling;
    ScriptCell& cell = seat_.board->cell(seat_.place);
    cell.served.store(++served_);
    // Said before the worker can give the process back.
    if (seat_.most_requests && served_ >= seat_.most_requests) cell.ends.store(true);
    return true;
}

bool ScriptPort::answer(const Command& command, bool done) {
    if (foresee(command) == Submitted::kClosed) return false;
    has_said_done_ = done;
    return forward(command, done) == Submitted::kSent;
}

void ScriptPort::finished(const Inbound&) {
    if (!has_said_done_) {
        link().put_done();
        while (link().send() == RequestLink::Progress::kBlocked)
            wait_for_link(POLLOUT);
    }
    has_said_done_ = false;
    state_ = State::kWaiting;
}

}  // namespace sluice
