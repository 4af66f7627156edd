#pragma once

#include "php/coroutine/callback.h"

namespace sluice::php {

struct Coroutine;
struct Worker;

/// The function of a service, which runs in a coroutine of its own for as long as its process is to live.
class ServiceRun {
  public:
    ServiceRun(Worker& worker, const Callback& callback) : worker_(worker), callback_(callback) {}

    /// Up to where it waits. Where it has called exit(), that is set as an exception afterwards.
    void start();
    /// It has returned, or thrown.
    bool is_over() const { return over_; }
    /// What came out of it was an exception, and is in the log.
    bool has_failed() const { return failed_; }
    /// Ends its waiting by a CancelledError.
    void cancel();

  private:
    static void run(const void* argument);

    Worker& worker_;
    const Callback& callback_;
    Coroutine* coroutine_ = nullptr;  ///< while it runs in one
    bool over_ = false;
    bool failed_ = false;
};

}  // namespace sluice::php
