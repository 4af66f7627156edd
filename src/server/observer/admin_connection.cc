#include "server/observer/admin_connection.h"

#include <cerrno>
#include <ctime>
#include <sys/socket.h>
#include <vector>

#include "protocol/http/http1_response.h"
#include "protocol/http/http_date.h"
#include "server/observer/admin_endpoints.h"
#include "server/observer/dashboard.h"
#include "server/observer/observer.h"

namespace sluice {

namespace {

/// A page that shows figures of the server is kept by nobody, and framed by nobody.
constexpr std::string_view kAlways =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n";

}  // namespace

AdminConnection::AdminConnection(UniqueFd fd, uint64_t now_ms) : fd_(std::move(fd)), since_ms_(now_ms) {}

/// Closing a socket with bytes that nobody has read resets it, and the response may not arrive.
AdminConnection::~AdminConnection() {
    if (!fd_) return;
    shutdown(fd(), SHUT_WR);
    char bytes[kMostHeadBytes];
    for (int reads = 0; reads < 16 && recv(fd(), bytes, sizeof bytes, MSG_DONTWAIT) > 0; ++reads) {
    }
}

uint64_t AdminConnection::due_ms() const {
    if (pending_) return pending_->due_ms();
    return since_ms_ + (wants_to_write() ? kSendMs : kHeadMs);
}

bool AdminConnection::turn(Observer& observer, const AdminGate& gate, uint64_t now_ms) {
    if (!pending_ && due_ms() <= now_ms) return false;
    if (pending_ && pending_->due_ms() <= now_ms) {
        if (std::optional<AdminResponse> response = pending_->ask(now_ms)) {
            pending_.reset();
            respond(*response, now_ms);
        }
    }
    // Its events are told once (EPOLLET): it goes on until it has to wait.
    while (read() && write(now_ms)) {
        if (pending_) return !peer_shut_;
        if (wants_to_write()) return true;
        if (!keep_alive_) return false;
        const size_t before = input_.size();
        if (before && !answer_next(observer, gate, now_ms)) return false;
        if (input_.size() == before) return !peer_shut_;
    }
    return false;
}

/// Never more than one head and a byte: what follows stays in the socket until that head is answered.
bool AdminConnection::read() {
    constexpr size_t kMost = kMostHeadBytes + 1;
    while (!peer_shut_ && input_.size() < kMost) {
        char bytes[kMost];
        const ssize_t got = recv(fd(), bytes, kMost - input_.size(), MSG_DONTWAIT);
        if (got > 0) {
            input_.append(bytes, static_cast<size_t>(got));
        } else if (got == 0) {
            peer_shut_ = true;
        } else if (errno != EINTR) {
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
    }
    return true;
}

bool AdminConnection::write(uint64_t now_ms) {
    while (wants_to_write()) {
        const ssize_t put =
            send(fd(), output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        sent_ += static_cast<size_t>(put);
    }
    if (!output_.empty()) {
        output_.clear();
        sent_ = 0;
        since_ms_ = now_ms;
    }
    return true;
}

/// Leaves the input as it is while a head is incomplete. False: close the connection.
bool AdminConnection::answer_next(Observer& observer, const AdminGate& gate, uint64_t now_ms) {
    switch (parser_.parse(input_)) {
        case http1::HeadParser::Status::kNeedMore: return !peer_shut_;
        case http1::HeadParser::Status::kError:
            is_head_ = false;
            keep_alive_ = false;
            input_.clear();
            respond(AdminResponse::problem(parser_.error().status, parser_.error().reason), now_ms);
            return true;
        case http1::HeadParser::Status::kDone: break;
    }
    const http::RequestHead& head = parser_.head();
    const char* const base = input_.data();
    is_head_ = head.method == http::Method::kHead;
    version_minor_ = head.version_minor;
    keep_alive_ = head.keep_alive && !head.has_body;
    const AdminRequest request{head.method,        head.path.in(base), head.query.in(base),
                               head.host.in(base), parser_.fields(),   base};
    if (std::optional<AdminResponse> refused = gate.refuse(request)) {
        // Browsers ask without a token: the page, which holds nothing of the server, asks for it.
        const bool is_page =
            refused->status == 401 && request.path == "/" && head.method == http::Method::kGet;
        respond(is_page ? sign_in_page() : *refused, now_ms);
    } else if (head.has_body) {
        respond(AdminResponse::problem(413, "The admin listener takes no bodies"), now_ms);
    } else {
        AdminAnswer answer = answer_admin(observer, request);
        pending_ = std::move(answer.later);
        if (!pending_) respond(answer.now, now_ms);
    }
    input_.erase(0, parser_.head_bytes());
    parser_.reset();
    return true;
}

void AdminConnection::respond(const AdminResponse& response, uint64_t now_ms) {
    const std::string fields =
        "Content-Type: " + response.type + "\r\n" + response.fields + std::string(kAlways);
    http1::ResponseHead head;
    head.status = response.status;
    head.fields = fields;
    head.length = response.body.size();
    head.keep_alive = keep_alive_;
    head.version_minor = version_minor_;
    std::vector<char> bytes(http1::head_bound(head));
    http::DateCache date;
    const size_t written = http1::write_head(head, date.at(time(nullptr)), bytes);
    keep_alive_ = http1::stays_open(head);
    output_.assign(bytes.data(), written);
    if (!is_head_) output_ += response.body;
    sent_ = 0;
    since_ms_ = now_ms;
}

}  // namespace sluice
