#include "core/helper_thread.h"

#include <csignal>

namespace sluice {

int begin_helper_thread(pthread_t& thread, size_t stack_bytes, void* (*run)(void*), void* argument) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return error;
}

}  // namespace sluice
