#include "php/profile/cpu_sampling.h"

#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>

namespace sluice::php {

namespace {

/// Sent to the profiler's thread alone, where it is blocked: no handler sees it.
int tick_signal() {
    return SIGRTMAX - 2;
}

/// A call of C that lasts longer has its ticks added without labels.
constexpr size_t kMostOpenTicks = 64;

/// The running call of C; nullptr: PHP's own code runs, or nobody knows.
const zend_execute_data* running_call_of_c() {
    const zend_execute_data* const top = *const_cast<zend_execute_data* volatile*>(&EG(current_execute_data));
    const zend_function* function = nullptr;
    zend_uchar type = 0;
    const bool is_known = top &&
                          read_any_memory(&top->func, static_cast<void*>(&function), sizeof function) &&
                          function && read_any_memory(&function->type, &type, sizeof type);
    return is_known && type == ZEND_INTERNAL_FUNCTION ? top : nullptr;
}

}  // namespace

CpuSampling::CpuSampling(pthread_t php_thread, void (*label)(SampleLabels& labels))
    : Sampling({{"samples", "count"}, {"cpu", "nanoseconds"}}), label_(label) {
    pthread_getcpuclockid(php_thread, &clock_);
}

uint64_t CpuSampling::used_ns() const {
    timespec used = {};
    clock_gettime(clock_, &used);
    return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(used.tv_nsec);
}

void CpuSampling::begin_ticks() {
    seen_ns_ = used_ns();
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick_signal();
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    has_timer_ = timer_create(clock_, &event, &timer_) == 0;
    const itimerspec period = {{0, kPeriodNs}, {0, kPeriodNs}};
    if (has_timer_) timer_settime(timer_, 0, &period, nullptr);
}

bool CpuSampling::wait_for_tick(uint32_t most_ms) {
    if (!has_timer_) {
        // Without a timer for another thread's clock, look at that clock now and then.
        const uint64_t missing_ns = kPeriodNs - std::min(used_ns() - seen_ns_, kPeriodNs);
        const timespec pause = {0, static_cast<long>(std::max<uint64_t>(missing_ns, 1'000'000))};
        nanosleep(&pause, nullptr);
        return used_ns() - seen_ns_ >= kPeriodNs;
    }
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, tick_signal());
    const timespec most = {most_ms / 1000, static_cast<long>(most_ms % 1000) * 1'000'000};
    return sigtimedwait(&signals, nullptr, &most) == tick_signal();
}

void CpuSampling::tick() {
    const uint64_t now_ns = used_ns();
    Tick& tick = ticks_.emplace_back();
    tick.samples = 1;
    tick.used_ns = static_cast<int64_t>(now_ns - seen_ns_);
    seen_ns_ = now_ns;
    // While a call of C lasts, the frames below it do not change.
    const zend_execute_data* const call = running_call_of_c();
    if (call && (!tick.stack.read(call, read_any_memory) || running_call_of_c() != call)) tick.stack = {};
    if (ticks_.size() < kMostOpenTicks) return;
    for (const Tick& one : ticks_)
        add(one.stack, {}, one);
    ticks_.clear();
}

void CpuSampling::look(const zend_execute_data* frame) {
    if (ticks_.empty()) return;
    SampleLabels labels;
    label_(labels);
    PhpStack own;
    own.read(frame);
    for (const Tick& one : ticks_)
        add(one.stack.frames().empty() ? own : one.stack, labels, one);
    ticks_.clear();
}

void CpuSampling::end() {
    for (const Tick& one : ticks_)
        add(one.stack, {}, one);
    ticks_.clear();
}

void CpuSampling::end_ticks() {
    if (has_timer_) timer_delete(timer_);
    has_timer_ = false;
}

void CpuSampling::add(const PhpStack& stack, const SampleLabels& labels, const Tick& tick) {
    static constexpr ProfileFrame kUnknown{"[nobody knows where]", {}, 0, 0};
    const int64_t values[] = {tick.samples, tick.used_ns};
    profile_.add(stack.frames().empty() ? std::span(&kUnknown, 1) : stack.frames(), labels.all(), values);
}

}  // namespace sluice::php
