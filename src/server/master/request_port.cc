#include "server/master/request_port.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

#include "core/log.h"
#include "server/seam/records.h"

namespace sluice {

namespace {

void wait_for(int fd, short events) {
    pollfd one{fd, events, 0};
    poll(&one, 1, -1);
}

}  // namespace

RequestPort::RequestPort(SharedLayout layout, const Limits& limits, FdChannel queue, UniqueFd taken,
                         uint64_t note)
    : PortBase(own_layout_, 0, limits),
      own_layout_(std::move(layout)),
      queue_(std::move(queue)),
      taken_(std::move(taken)),
      note_(note) {}

bool RequestPort::take(Inbound& message) {
    if (state_ != State::kWaiting) return false;
    std::optional<FdChannel::Received> received = queue_.receive();
    if (!received) return false;
    if (!received->fd) {
        SLUICE_ERROR("a request is lost: no descriptor is left for it (raise the limit of open files)");
        return false;
    }
    link_ = RequestLink(std::move(received->fd));
    if (!receive_request(message)) return false;  // the client has gone meanwhile
    link_.put_sign();
    if (link_.send() == RequestLink::Progress::kClosed) return false;
    state_ = State::kHandling;
    // Another process is forked while this one works.
    [[maybe_unused]] const ssize_t told = write(taken_.get(), &note_, sizeof note_);
    return true;
}

void RequestPort::wait_for_link(short events) {
    wait_for(link_.fd(), events);
}

bool RequestPort::receive_request(Inbound& message) {
    for (;;) {
        uint16_t kind;
        const std::span<const char> record = link_.next(kind);
        if (record.empty()) {
            const RequestLink::Progress progress = link_.await();
            if (progress == RequestLink::Progress::kClosed) return false;
            if (progress == RequestLink::Progress::kBlocked) wait_for(link_.fd(), POLLIN);
            continue;
        }
        if (RequestLink::is_script(kind)) {
            script_ = RequestLink::script_in(record);
            continue;
        }
        if (RequestLink::is_done(kind)) return false;
        std::optional<DecodedInbound> decoded = read_inbound(record, kind);
        if (!decoded || !decoded->message.is<inbound::Request>()) {
            SLUICE_ERROR("a request from a worker does not make sense");
            return false;
        }
        message = decoded->message;
        auto& request = std::get<inbound::Request>(message.what);
        if (request.file) request.file.fd = link_.take_file().release();
        return true;
    }
}

void RequestPort::finished(const Inbound&) {
    state_ = State::kDone;
}

/// The worker waits for the end of the link, which is to come with the end of this request.
void RequestPort::abandon() {
    own_layout_.close_fd();
    queue_ = {};
    taken_.reset();
    link_ = RequestLink();
}

Submitted RequestPort::forward(const Command& command, bool done) {
    if (!link_.put(command)) return Submitted::kDropped;
    if (done) link_.put_done();
    for (;;) {
        switch (link_.send()) {
            case RequestLink::Progress::kDone: return Submitted::kSent;
            case RequestLink::Progress::kClosed: return Submitted::kClosed;
            case RequestLink::Progress::kBlocked: wait_for(link_.fd(), POLLOUT); break;
        }
    }
}

Submitted RequestPort::submit(const Command& command, Reach&) {
    // A question is refused, for nobody could take its answer. Functions that PHP calls at the end, after the
    // handler, may publish and send.
    if (state_ == State::kWaiting || command.is_question()) return Submitted::kClosed;
    const Submitted foreseen = foresee(command);
    if (is_final(foreseen)) return foreseen;
    const Submitted submitted = forward(command);
    return submitted == Submitted::kSent ? foreseen : submitted;
}

Submitted RequestPort::submit_surely(const Command& command) {
    Reach reach;
    return submit(command, reach);
}

void RequestPort::wait(int timeout_ms) {
    if (state_ != State::kWaiting) {
        poll(nullptr, 0, timeout_ms < 0 ? 1 : timeout_ms);
        return;
    }
    pollfd one{queue_.fd(), POLLIN, 0};
    if (poll(&one, 1, timeout_ms) > 0 && (one.revents & POLLHUP)) state_ = State::kDone;
}

bool RequestPort::watch(int, uint32_t) {
    errno = ENOTSUP;
    return false;
}

}  // namespace sluice
