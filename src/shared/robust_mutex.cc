#include "shared/robust_mutex.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace sluice {

void RobustMutex::init() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

RobustMutex::Result RobustMutex::lock(unsigned patience_ms) {
    int error = pthread_mutex_trylock(&mutex_);
    timespec until;
    if (error == EBUSY) clock_gettime(CLOCK_MONOTONIC, &until);
    // Whoever is killed just when it was woken takes that with it: when somebody else has the mutex by then,
    // the kernel wakes nobody, and he knows of nobody who waits. So look again now and then.
    for (unsigned left_ms = patience_ms; left_ms > 0 && (error == EBUSY || error == ETIMEDOUT);) {
        const unsigned step_ms = std::min(left_ms, kLookMs);
        left_ms -= step_ms;
        until.tv_nsec += long{step_ms} * 1'000'000;
        if (until.tv_nsec >= 1'000'000'000) {
            until.tv_nsec -= 1'000'000'000;
            ++until.tv_sec;
        }
        error = pthread_mutex_clocklock(&mutex_, CLOCK_MONOTONIC, &until);
    }
    if (error == 0) return Result::kLocked;
    return error == EOWNERDEAD ? Result::kOwnerDied : Result::kTimedOut;
}

}  // namespace sluice
