#include "php/profile/wait_sampling.h"

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/occasion.h"
#include "php/profile/php_stack.h"
#include "php/profile/wait_target.h"

namespace sluice::php {

namespace {

Profile* measured = nullptr;  ///< while waits are measured

bool is_suspended(const Coroutine& coroutine) {
    return coroutine.state == Coroutine::State::kWaiting || coroutine.state == Coroutine::State::kReady;
}

void label(SampleLabels& labels, const Coroutine& coroutine, const WaitTarget& target) {
    if (coroutine.occasion) labels.add("route", coroutine.occasion->route());
    labels.add("kind", target.kind);
    labels.add("target", target.target);
    labels.add("query", target.query);
}

void add_wait(const Coroutine& coroutine, const zend_execute_data* frame, uint64_t now_ns) {
    const WaitTarget target(frame, coroutine.waits_for_fd);
    SampleLabels labels;
    label(labels, coroutine, target);
    PhpStack stack;
    stack.read(frame);
    const int64_t values[] = {1, static_cast<int64_t>(now_ns - coroutine.waits_since_ns)};
    measured->add(stack.frames(), labels.all(), values);
}

void end_wait(Coroutine& self) {
    if (self.waits_since_ns != 0) add_wait(self, EG(current_execute_data), monotonic_ns());
    self.waits_since_ns = 0;
}

}  // namespace

WaitSampling::WaitSampling() : Sampling({{"waits", "count"}, {"suspended", "nanoseconds"}}) {}

void WaitSampling::begin() {
    if (!scheduler()) return;
    measured = &profile_;
    Scheduler::measure_waits(end_wait);
    const uint64_t now_ns = monotonic_ns();
    scheduler()->for_each_live(
        [&](Coroutine& coroutine) { coroutine.waits_since_ns = is_suspended(coroutine) ? now_ns : 0; });
}

void WaitSampling::end() {
    Scheduler::measure_waits(nullptr);
    if (!measured || !scheduler()) return;
    const uint64_t now_ns = monotonic_ns();
    scheduler()->for_each_live([&](Coroutine& coroutine) {
        if (is_suspended(coroutine) && coroutine.waits_since_ns != 0)
            add_wait(coroutine, coroutine.frame, now_ns);
        coroutine.waits_since_ns = 0;
    });
    measured = nullptr;
}

CoroutineSampling::CoroutineSampling() : Sampling({{"age", "nanoseconds"}, {"coroutines", "count"}}) {}

void CoroutineSampling::begin() {
    if (!scheduler()) return;
    const uint64_t now_us = monotonic_us();
    const Coroutine* const running = enclosing_coroutine();
    scheduler()->for_each_live([&](Coroutine& coroutine) {
        const bool waits = is_suspended(coroutine);
        const zend_execute_data* const frame = &coroutine == running ? EG(current_execute_data)
                                               : waits               ? coroutine.frame
                                                                     : coroutine.fiber->execute_data;
        PhpStack stack;
        stack.read(frame);
        SampleLabels labels;
        labels.add("state", &coroutine == running ? "running" : waits ? "waiting" : "held");
        const WaitTarget target(waits ? frame : nullptr, coroutine.waits_for_fd);
        label(labels, coroutine, target);
        const uint64_t age_us = coroutine.begun_us != 0 ? now_us - coroutine.begun_us : 0;
        const int64_t values[] = {static_cast<int64_t>(age_us * 1000), 1};
        profile_.add(stack.frames(), labels.all(), values);
    });
}

}  // namespace sluice::php
