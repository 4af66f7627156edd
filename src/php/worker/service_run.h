#pragma once

#include "php/coroutine/callback.h"

namespace sluice::php {

struct Coroutine;
struct Worker;

/// The function of a service, which runs in a coroutine of its own for as long as its process is to live.
class ServiceRun {
  public:
    ServiceRun(Worker& worker, const Callback& callback) : worker_(worker), callback_(callback) {}

    /// Runs the function up to where it waits. After exit() an exception is set.
    void start();
    /// The function has returned, or thrown.
    bool is_over() const { return over_; }
    /// The function has thrown, which is in the log.
    bool has_failed() const { return failed_; }
    /// Throws a CancelledError where the function waits.
    void cancel();

  private:
    static void run(const void* argument);

    Worker& worker_;
    const Callback& callback_;
    Coroutine* coroutine_ = nullptr;  ///< nullptr: the function does not run
    bool over_ = false;
    bool failed_ = false;
};

}  // namespace sluice::php
