#include "shared/robust_mutex.h"

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
    if (error == EBUSY) {
        timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += patience_ms / 1000;
        until.tv_nsec += long{patience_ms % 1000} * 1'000'000;
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
