#pragma once

#include "io/event_loop.h"
#include "io/poller.h"

namespace sluice {

/// The loop of a process that waits for descriptors and timeouts alone.
class PollerLoop final : public EventLoop {
  public:
    bool watch(int fd, uint32_t events) override {
        return poller_.watch_once(fd, events, static_cast<uint64_t>(fd));
    }
    void wait(int timeout_ms) override {
        for (const epoll_event& event : poller_.wait(timeout_ms))
            ready_.push_back({static_cast<int>(event.data.u64), event.events});
    }
    void take_ready(std::vector<ReadyFd>& ready) override {
        ready.clear();
        ready.swap(ready_);
    }

  private:
    Poller poller_;
    std::vector<ReadyFd> ready_;
};

}  // namespace sluice
