#pragma once

#include "php/profile/sampling.h"

namespace sluice::php {

/// How long coroutines are suspended, where and for what: exact, each suspension is measured. Those that go
/// on at the begin or at the end count with their part.
class WaitSampling final : public Sampling {
  public:
    WaitSampling();

    void begin() override;
    void end() override;
};

/// The coroutines of this moment, each with its stack, age and what it waits for.
class CoroutineSampling final : public Sampling {
  public:
    CoroutineSampling();

    void begin() override;
};

}  // namespace sluice::php
