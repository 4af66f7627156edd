#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/event_loop.h"

namespace sluice::php {

struct Coroutine;

/// One coroutine waiting for one descriptor. Stands on its stack while it is suspended.
struct FdWait {
    int fd;
    uint32_t events;
    Coroutine* coroutine;
    FdWait* next;
};

/// Who waits for which descriptor; any number may wait for the same one.
class FdWaits {
  public:
    explicit FdWaits(EventLoop& loop) : loop_(loop) {}

    /// False with errno set when its descriptor cannot be waited for.
    bool add(FdWait& wait);
    void remove(FdWait& wait);

    /// Calls `wake` with each coroutine that a ready descriptor concerns; its waits stay.
    template <typename Wakes>
    void tell(const ReadyFd& ready, Wakes&& wake) {
        if (static_cast<size_t>(ready.fd) >= first_.size()) return;
        uint32_t still_wanted = 0;
        for (FdWait* wait = first_[static_cast<size_t>(ready.fd)]; wait; wait = wait->next) {
            if (ready.events & (wait->events | kAlways)) {
                wake(*wait->coroutine);
            } else {
                still_wanted |= wait->events;
            }
        }
        if (still_wanted) loop_.watch(ready.fd, still_wanted);
    }

  private:
    static constexpr uint32_t kAlways = 0x08 | 0x10 | 0x20;  ///< POLLERR, POLLHUP, POLLNVAL

    EventLoop& loop_;
    std::vector<FdWait*> first_;  ///< by descriptor
};

}  // namespace sluice::php
