#pragma once

#include <cstdint>
#include <span>

#include "php/zend/php_api.h"
#include "server/profile/profile.h"

namespace sluice::php {

/// One profile of this process while it is taken. PHP's thread and the profiler's call it, one at a time;
/// wait_for_tick() alone may be called at any time.
class Sampling {
  public:
    explicit Sampling(std::vector<ValueType> types);
    virtual ~Sampling() = default;

    /// Whether begin() and end() are needed. Without them there is a profile even when PHP's thread does not
    /// answer.
    virtual bool needs_php() const { return true; }

    // In PHP's thread, between two opcodes or outside PHP code

    virtual void begin() {}
    virtual void look(const zend_execute_data*) {}
    virtual void end() {}

    // In the profiler's thread

    virtual void begin_ticks() {}
    /// Waits for a tick, at most for so long. True: tick() is to be called, and then look().
    virtual bool wait_for_tick(uint32_t most_ms);
    virtual void tick() {}
    virtual void end_ticks() {}

    const Profile& profile() const { return profile_; }

  protected:
    Profile profile_;
};

/// The labels of a sample; borrows their texts.
class SampleLabels {
  public:
    void add(std::string_view key, std::string_view text) {
        if (!text.empty() && count_ < Profile::kMostLabels) labels_[count_++] = {key, text};
    }
    std::span<const ProfileLabel> all() const { return {labels_, count_}; }

  private:
    ProfileLabel labels_[Profile::kMostLabels];
    size_t count_ = 0;
};

}  // namespace sluice::php
