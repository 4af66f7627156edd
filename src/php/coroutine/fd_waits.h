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
    bool closed = false;  ///< somebody closed it meanwhile: its number may mean something else already
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
            if (wait->closed) continue;
            if (ready.events & (wait->events | kAlways)) {
                wake(*wait->coroutine);
            } else {
                still_wanted |= wait->events;
            }
        }
        if (still_wanted) loop_.watch(ready.fd, still_wanted);
    }

    /// Before `fd` is closed: the same with all who wait for it. False when there are none.
    template <typename Wakes>
    bool tell_closing(int fd, Wakes&& wake) {
        if (fd < 0 || static_cast<size_t>(fd) >= first_.size()) return false;
        for (FdWait* wait = first_[static_cast<size_t>(fd)]; wait; wait = wait->next) {
            wait->closed = true;
            wake(*wait->coroutine);
        }
        return first_[static_cast<size_t>(fd)];
    }

    /// Somebody else than `self` who waits for one of these events; nullptr when nobody does.
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
