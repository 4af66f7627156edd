#pragma once

#include <cstddef>

#include "core/ref.h"
#include "core/unique_fd.h"

namespace sluice {

/// A call for which there is nothing to wait with but a thread. Born with a reference, the giver's; as long
/// as the pool has it, the pool holds another, so the giver may give it up at any time and go. It must not
/// touch anything that the giver may take away meanwhile.
class ThreadJob : public RefCounted {
  public:
    /// In a thread of the pool, with all signals blocked.
    virtual void run() = 0;

    /// Readable once it has run.
    int done_fd() const { return done_.get(); }

  private:
    friend class ThreadPool;
    UniqueFd done_;
    ThreadJob* next_ = nullptr;
};

/// A few threads that take one job after the other. They begin when they are first needed, and live as long
/// as the process: what they wait for cannot be broken off, so nobody waits for their end.
class ThreadPool {
  public:
    /// How many jobs run at once; more wait for their turn.
    static constexpr size_t kMostThreads = 16;

    /// The process's. In a fork of it there are no threads yet, and nothing of what they had to do.
    static ThreadPool& of_process();

    /// False with errno set when there is no descriptor or no thread to be had; the job has not run then.
    bool give(ThreadJob& job);

  private:
    ThreadPool() = default;
    bool begin_thread();
    void work();

    struct Shared;
    Shared* shared_ = nullptr;
};

}  // namespace sluice
