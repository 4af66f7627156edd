#pragma once

#include <cstddef>

#include "core/ref.h"
#include "core/unique_fd.h"

namespace sluice {

/// A blocking call that only a thread can wait for. Created with one reference, the caller's; the pool holds
/// another while it has the job, so the caller may drop its own at any time. A job must not touch anything
/// that the caller may free meanwhile.
class ThreadJob : public RefCounted {
  public:
    /// Runs in a thread of the pool, with all signals blocked.
    virtual void run() = 0;

    /// Readable once the job has run.
    int done_fd() const { return done_.get(); }

  private:
    friend class ThreadPool;
    UniqueFd done_;
    ThreadJob* next_ = nullptr;
};

/// A few threads that take one job after the other. They begin when first needed, and live as long as the
/// process: their blocking calls cannot be broken off, so nobody waits for their end.
class ThreadPool {
  public:
    /// How many jobs run at once; more wait for their turn.
    static constexpr size_t kMostThreads = 16;

    /// The pool of this process. After a fork the child has a new pool without threads and jobs.
    static ThreadPool& of_process();

    /// False with errno set, and the job does not run, when no descriptor or thread can be had.
    bool give(ThreadJob& job);

  private:
    ThreadPool() = default;
    bool begin_thread();
    void work();

    struct Shared;
    Shared* shared_ = nullptr;
};

}  // namespace sluice
