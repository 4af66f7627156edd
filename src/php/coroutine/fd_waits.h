#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/event_loop.h"

namespace sluice::php {

struct Coroutine;

/// One coroutine's wait for one descriptor. Stands on the coroutine's stack while it is suspended.
struct FdWait {
    int fd;
    uint32_t events;
    Coroutine* coroutine;
    FdWait* next;
    bool closed = false;  ///< the descriptor was closed meanwhile: its number may have been reused
};

/// All waits for descriptors; any number of coroutines may wait for one descriptor.
class FdWaits {
  public:
    explicit FdWaits(EventLoop& loop) : loop_(loop) {}

    /// False with errno set when its descriptor cannot be waited for.
    bool add(FdWait& wait);
    void remove(FdWait& wait);

    /// Calls `wake` with each coroutine that waits for a ready descriptor; its waits stay.
    template <typename Wakes>
    void tell(const ReadyFd& ready, Wakes&& wake) {
        if (static_cast<size_t>(ready.fd) >= first_.size()) return;
        uint32_t still_wanted = 0;
        for (FdWait* wait = first_[static_cast<size_t>(ready.fd)]; wait; wait = wait->next) {
            if (wait->closed) continue;
            if (ready.events & (wait->events | kAlways)) {
                wake(*wait->coroutine);
            } else {
                still_wanted |= wait->events;
            }
        }
        if (still_wanted) loop_.watch(ready.fd, still_wanted);
    }

    /// Before `fd` is closed: calls `wake` with each coroutine that waits for it. False when none does.
    template <typename Wakes>
    bool tell_closing(int fd, Wakes&& wake) {
        if (fd < 0 || static_cast<size_t>(fd) >= first_.size()) return false;
        for (FdWait* wait = first_[static_cast<size_t>(fd)]; wait; wait = wait->next) {
            wait->closed = true;
            wake(*wait->coroutine);
        }
        return first_[static_cast<size_t>(fd)];
    }

    /// Another coroutine than `self` that waits for one of these events; nullptr: none.
    const Coroutine* waits_for(int fd, uint32_t events, const Coroutine& self) const {
        if (fd < 0 || static_cast<size_t>(fd) >= first_.size()) return nullptr;
        for (const FdWait* wait = first_[static_cast<size_t>(fd)]; wait; wait = wait->next)
            if (wait->coroutine != &self && !wait->closed && (wait->events & events)) return wait->coroutine;
        return nullptr;
    }

  private:
    static constexpr uint32_t kAlways = 0x08 | 0x10 | 0x20;  ///< POLLERR, POLLHUP, POLLNVAL

    EventLoop& loop_;
    std::vector<FdWait*> first_;  ///< by descriptor
};

}  // namespace sluice::php
