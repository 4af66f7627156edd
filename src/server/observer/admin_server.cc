#include "server/observer/admin_server.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <vector>

#include "core/clock.h"

namespace sluice {

namespace {
/// How long the listener rests when there are no descriptors, or no places.
constexpr int kRestMs = 100;
}  // namespace

AdminServer::AdminServer(Observer& observer, UniqueFd listener)
    : observer_(observer), gate_(observer.config().admin), listener_(std::move(listener)) {
    poller_.add(observer_.master().fd(), EPOLLIN, kMasterToken);
    if (listener_) poller_.add(listener_.get(), EPOLLIN, kListenerToken);
}

void AdminServer::serve() {
    while (true) {
        const auto events = poller_.wait(next_timeout_ms(monotonic_ms()));
        const uint64_t now_ms = monotonic_ms();
        if (!accepts_) {
            poller_.add(listener_.get(), EPOLLIN, kListenerToken);
            accepts_ = true;
        }
        for (const epoll_event& event : events) {
            if (event.data.u64 == kMasterToken) {
                if (!observer_.hear_master()) return;
            } else if (event.data.u64 == kListenerToken) {
                accept_all(now_ms);
            } else {
                turn(event.data.u64, now_ms);
            }
        }
        std::vector<uint64_t> due;
        for (const auto& [token, connection] : connections_)
            if (connection->due_ms() <= now_ms) due.push_back(token);
        for (const uint64_t token : due)
            turn(token, now_ms);
    }
}

void AdminServer::accept_all(uint64_t now_ms) {
    while (make_room()) {
        UniqueFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) return;
            break;
        }
        const int raw = fd.get();
        connections_.emplace(next_token_, std::make_unique<AdminConnection>(std::move(fd), now_ms));
        poller_.add(raw, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, next_token_++);
    }
    poller_.remove(listener_.get());
    accepts_ = false;
}

bool AdminServer::make_room() {
    if (connections_.size() < kMostConnections) return true;
    auto oldest = connections_.end();
    for (auto it = connections_.begin(); it != connections_.end(); ++it) {
        if (!it->second->is_idle()) continue;
        if (oldest == connections_.end() || it->second->since_ms() < oldest->second->since_ms()) oldest = it;
    }
    if (oldest == connections_.end()) return false;
    connections_.erase(oldest);
    return true;
}

void AdminServer::turn(uint64_t token, uint64_t now_ms) {
    const auto found = connections_.find(token);
    if (found == connections_.end()) return;
    if (!found->second->turn(observer_, gate_, now_ms)) connections_.erase(found);
}

int AdminServer::next_timeout_ms(uint64_t now_ms) const {
    uint64_t next = accepts_ ? UINT64_MAX : now_ms + kRestMs;
    for (const auto& [token, connection] : connections_)
        next = std::min(next, connection->due_ms());
    if (next == UINT64_MAX) return -1;
    return static_cast<int>(next > now_ms ? std::min<uint64_t>(next - now_ms, 3'600'000) : 0);
}

}  // namespace sluice
