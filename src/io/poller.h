#pragma once

#include <cerrno>
#include <cstdint>
#include <span>
#include <sys/epoll.h>

#include "core/unique_fd.h"

namespace sluice {

/// A thin wrapper of epoll(7): readiness comes with the token that was given when the descriptor was added.
/// The owner switches on the token; there are no callbacks.
class Poller {
  public:
    static constexpr int kMaxEvents = 256;

    Poller() : fd_(epoll_create1(EPOLL_CLOEXEC)) {}

    bool add(int fd, uint32_t events, uint64_t token) {
        epoll_event event{events, {.u64 = token}};
        return epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
    }
    /// Reports readiness once (EPOLLONESHOT), until it is called again. The descriptor stays registered.
    bool watch_once(int fd, uint32_t events, uint64_t token) {
        epoll_event event{events | EPOLLONESHOT, {.u64 = token}};
        if (epoll_ctl(fd_.get(), EPOLL_CTL_MOD, fd, &event) == 0) return true;
        return errno == ENOENT && epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
    }
    /// For a forked child: others go on with what is registered.
    void close() { fd_.reset(); }
    void remove(int fd) { epoll_ctl(fd_.get(), EPOLL_CTL_DEL, fd, nullptr); }

    /// What is ready, up to kMaxEvents; empty after `timeout_ms` (-1: no limit) or a signal. Valid until the
    /// next call.
    std::span<const epoll_event> wait(int timeout_ms) {
        int count = epoll_wait(fd_.get(), events_, kMaxEvents, timeout_ms);
        return {events_, count > 0 ? static_cast<size_t>(count) : 0};
    }

  private:
    UniqueFd fd_;
    epoll_event events_[kMaxEvents];
};

}  // namespace sluice
