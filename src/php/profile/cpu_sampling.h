#pragma once

#include <ctime>
#include <pthread.h>
#include <vector>

#include "php/profile/php_stack.h"
#include "php/profile/sampling.h"

namespace sluice::php {

/// Where PHP's thread computes: a sample for each 10 ms of its CPU time, with what it has used.
///
/// A timer of the thread's CPU clock ticks in the profiler's thread, so PHP's system calls are not disturbed.
/// PHP code tells its own place when it comes to the end of an opcode that may be interrupted. A call of C
/// that is seen to last is read from outside, as PHP does not tell of it.
class CpuSampling final : public Sampling {
  public:
    static constexpr uint64_t kPeriodNs = 10'000'000;

    /// `labels`: called in PHP's thread for each sample, and adds to the labels.
    CpuSampling(pthread_t php_thread, void (*label)(SampleLabels& labels));

    bool needs_php() const override { return false; }
    void look(const zend_execute_data* frame) override;
    void end() override;
    void begin_ticks() override;
    bool wait_for_tick(uint32_t most_ms) override;
    void tick() override;
    void end_ticks() override;

  private:
    /// What was used up to a tick, until PHP's thread has said where.
    struct Tick {
        int64_t samples;
        int64_t used_ns;
        PhpStack stack;  ///< empty: PHP's thread is to tell its own
    };

    void add(const PhpStack& stack, const SampleLabels& labels, const Tick& tick);
    uint64_t used_ns() const;

    clockid_t clock_ = 0;
    timer_t timer_ = nullptr;
    bool has_timer_ = false;
    uint64_t seen_ns_ = 0;
    void (*label_)(SampleLabels& labels);
    std::vector<Tick> ticks_;
};

}  // namespace sluice::php
