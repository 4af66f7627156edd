#pragma once

#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

namespace sluice {

/// getpid() without a system call: remembered, and asked again in each child that fork() makes.
class OwnProcess {
  public:
    static pid_t number() {
        static const bool watches = watch();
        (void)watches;
        return number_;
    }

  private:
    static bool watch() {
        // Registered first: a fork in another thread meanwhile must not leave the parent's number.
        pthread_atfork(nullptr, nullptr, [] { number_ = getpid(); });
        number_ = getpid();
        return true;
    }

    static inline pid_t number_ = 0;
};

}  // namespace sluice
