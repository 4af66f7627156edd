#include "php/coroutine/fd_waits.h"

namespace sluice::php {

bool FdWaits::add(FdWait& wait) {
    const size_t place = static_cast<size_t>(wait.fd);
    if (place >= first_.size()) first_.resize(place + 1);
    uint32_t events = wait.events;
    for (FdWait* other = first_[place]; other; other = other->next)
        if (!other->closed) events |= other->events;
    // Always watched anew: the number's former descriptor may have been closed.
    if (!loop_.watch(wait.fd, events)) return false;
    wait.next = first_[place];
    first_[place] = &wait;
    return true;
}

void FdWaits::remove(FdWait& wait) {
    for (FdWait** place = &first_[static_cast<size_t>(wait.fd)]; *place; place = &(*place)->next) {
        if (*place != &wait) continue;
        *place = wait.next;
        return;
    }
}

}  // namespace sluice::php
