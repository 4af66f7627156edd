#pragma once

#include <unordered_map>

#include "php/profile/sampling.h"

namespace sluice::php {

/// What PHP code allocates by PHP's own allocator, and what of that is still there at the end: one of about
/// each kHeapSampleBytes bytes stands for all of them. What was allocated before the begin is not seen, nor
/// what libraries allocate by malloc().
class HeapSampling final : public Sampling {
  public:
    explicit HeapSampling(void (*label)(SampleLabels& labels));

    void begin() override;
    void end() override;

    /// Gives PHP's allocator back to itself. Call it before PHP's request ends.
    static void uninstall();

  private:
    struct Live {
        size_t sample;
        int64_t objects, bytes;
    };

    static void* allocate(size_t bytes);
    static void free(void* block);
    static void* reallocate(void* block, size_t bytes);

    void count(void* block, size_t bytes);
    void forget(void* block);

    void (*label_)(SampleLabels& labels);
    uint64_t random_;
    int64_t until_sample_ = 0;  ///< bytes
    int64_t since_sample_ = 0;  ///< bytes
    std::unordered_map<void*, Live> live_;
};

}  // namespace sluice::php
