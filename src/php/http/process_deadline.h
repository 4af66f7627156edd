#pragma once

#include <cstdint>
#include <sys/types.h>

namespace sluice::php {

/// When the process of a request is killed. Until its response begins, `requestSeconds` says so. After that
/// it may wait for as long as it likes, as a coroutine may, but not compute for `killSeconds` without sending
/// anything.
class ProcessDeadline {
  public:
    ProcessDeadline(uint64_t request_ms, uint64_t kill_ms);

    /// The response has begun, and the process has sent something.
    void note_sign(pid_t pid);
    /// When to ask exceeded() again; 0: never.
    uint64_t due_ms() const { return has_begun_ ? look_due_ms_ : begin_due_ms_; }
    /// The limit that the process has exceeded; nullptr: none.
    const char* exceeded(pid_t pid);

  private:
    const uint64_t begin_due_ms_;
    const uint64_t kill_ms_;
    bool has_begun_ = false;
    uint64_t cpu_before_ms_ = 0;
    uint64_t look_due_ms_ = 0;
};

}  // namespace sluice::php
