#pragma once

#include <cstddef>
#include <pthread.h>

namespace sluice {

/// Starts a thread that gets no signals, for those are for PHP's thread. Returns 0, or what pthread_create(3)
/// does. `stack_bytes`: 0: as many as the process' limits say.
int begin_helper_thread(pthread_t& thread, size_t stack_bytes, void* (*run)(void*), void* argument);

/// The same with a member function: begin_helper_thread<&Watch::run>(thread_, kStackBytes, *this).
template <auto Run, typename Object>
int begin_helper_thread(pthread_t& thread, size_t stack_bytes, Object& object) {
    auto run = [](void* self) -> void* {
        (static_cast<Object*>(self)->*Run)();
        return nullptr;
    };
    return begin_helper_thread(thread, stack_bytes, run, &object);
}

}  // namespace sluice
