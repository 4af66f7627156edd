#pragma once

#include <deque>
#include <span>
#include <vector>

#include "php/zend/backtraces.h"
#include "server/profile/profile.h"

namespace sluice::php {

/// A stack of PHP as a Profile takes it, leaf first. That of a coroutine ends where the coroutine begins.
class PhpStack {
  public:
    /// Reads the stack from `top` outwards. False when a frame could not be read: then it ends there.
    bool read(const zend_execute_data* top, ReadMemory read_memory = read_own_memory);
    std::span<const ProfileFrame> frames() const { return frames_; }

  private:
    std::deque<StackFrame> texts_;  ///< what the frames refer to
    std::vector<ProfileFrame> frames_;
};

}  // namespace sluice::php
