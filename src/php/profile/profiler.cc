#include "php/profile/profiler.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/helper_thread.h"
#include "core/log.h"
#include "core/own_process.h"
#include "core/unique_fd.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/occasion.h"
#include "php/profile/cpu_sampling.h"
#include "php/profile/heap_sampling.h"
#include "php/profile/wait_sampling.h"
#include "server/profile/profile_desk.h"

namespace sluice::php {

namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr uint32_t kIdleMs = 60'000;
/// How often the thread looks whether the question still stands.
constexpr uint32_t kLookMs = 50;
/// How long PHP's thread has to answer at the end.
constexpr uint64_t kAnswerMs = 1000;

const Occasion* (*current_occasion)() = nullptr;

void label_running(SampleLabels& labels) {
    if (const Occasion* const occasion = current_occasion()) labels.add("route", occasion->route());
}

class Profiler {
  public:
    Profiler(ProfileDesk& desk, pthread_t php_thread) : desk_(desk), php_thread_(php_thread) {}
    ~Profiler();

    bool begin();
    bool is_of_this_process() const { return process_ == OwnProcess::number(); }
    /// In PHP's thread: does what the profiler waits for. `frame`: where PHP code stands.
    void look(const zend_execute_data* frame);
    void hear_bell();
    int bell() const { return bell_.get(); }

  private:
    enum class Phase : uint8_t { kNone, kBegins, kRuns, kEnds };

    void serve();
    void answer(uint32_t question);
    void take(uint32_t question, uint64_t until_ms);
    std::unique_ptr<Sampling> make(ProfileKind kind) const;
    bool stands(uint32_t question) const { return !ending_ && desk_.asked.load() == question; }
    void ask_php();
    /// Until PHP's thread has done what it is asked for in this phase. False when it has not until then.
    bool wait_for_php(uint32_t question, Phase asked, uint64_t until_ms);

    ProfileDesk& desk_;
    const pthread_t php_thread_;
    pthread_t thread_ = {};
    pid_t process_ = 0;
    UniqueFd bell_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    std::atomic<bool> ending_ = false;
    std::atomic<bool> ended_ = false;
    std::atomic<Phase> phase_ = Phase::kNone;  ///< changed with `lock_` held
    std::mutex lock_;                          ///< of `sampling_`
    std::unique_ptr<Sampling> sampling_;
};

Profiler* profiler = nullptr;
void (*interrupt_before)(zend_execute_data*) = nullptr;

bool Profiler::begin() {
    const int error = begin_helper_thread<&Profiler::serve>(thread_, kStackBytes, *this);
    process_ = error ? 0 : OwnProcess::number();
    return !error;
}

Profiler::~Profiler() {
    if (process_ == 0) return;
    ending_ = true;
    while (!ended_) {
        desk_.wake();
        usleep(200);
    }
    pthread_join(thread_, nullptr);
    if (sampling_ && phase_ != Phase::kNone && phase_ != Phase::kBegins) sampling_->end();
}

void Profiler::serve() {
    uint32_t known = desk_.answered.load();
    while (!ending_) {
        const uint32_t question = desk_.asked.load(std::memory_order_acquire);
        if (question == known) {
            desk_.wait_for_question(known, kIdleMs);
            continue;
        }
        known = question;
        answer(question);
    }
    ended_ = true;
}

std::unique_ptr<Sampling> Profiler::make(ProfileKind kind) const {
    switch (kind) {
        case ProfileKind::kCpu: return std::make_unique<CpuSampling>(php_thread_, label_running);
        case ProfileKind::kWait: return std::make_unique<WaitSampling>();
        case ProfileKind::kHeap: return std::make_unique<HeapSampling>(label_running);
        case ProfileKind::kCoroutine: return std::make_unique<CoroutineSampling>();
        default: return nullptr;
    }
}

void Profiler::answer(uint32_t question) {
    const uint64_t until_ms = desk_.until_ms.load(std::memory_order_relaxed);
    // PHP's thread has yet to come back from the one before.
    if (!wait_for_php(question, Phase::kEnds, until_ms + kAnswerMs)) return;
    {
        const std::lock_guard guard(lock_);
        sampling_ = make(ProfileDesk::kind_of(question));
        if (!sampling_) return;
        phase_ = sampling_->needs_php() ? Phase::kBegins : Phase::kRuns;
    }
    take(question, until_ms);
}

void Profiler::take(uint32_t question, uint64_t until_ms) {
    const bool needs_php = sampling_->needs_php();
    bool is_taken = !needs_php || wait_for_php(question, Phase::kBegins, until_ms + kAnswerMs);
    sampling_->begin_ticks();
    for (uint64_t now_ms = monotonic_ms(); now_ms < until_ms && stands(question); now_ms = monotonic_ms()) {
        if (!sampling_->wait_for_tick(static_cast<uint32_t>(std::min<uint64_t>(until_ms - now_ms, kLookMs))))
            continue;
        {
            const std::lock_guard guard(lock_);
            sampling_->tick();
        }
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    }
    sampling_->end_ticks();
    {
        const std::lock_guard guard(lock_);
        if (phase_ == Phase::kBegins) {
            // PHP's thread has not even begun.
            phase_ = Phase::kNone;
        } else if (!needs_php) {
            sampling_->end();
            phase_ = Phase::kNone;
        } else {
            phase_ = Phase::kEnds;
        }
    }
    if (is_taken && needs_php) is_taken = wait_for_php(question, Phase::kEnds, monotonic_ms() + kAnswerMs);
    const std::lock_guard guard(lock_);
    if (is_taken) desk_.give_answer(question, sampling_->profile().record());
    if (phase_ == Phase::kNone) sampling_.reset();
}

void Profiler::ask_php() {
    zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    const uint64_t one = 1;
    (void)!write(bell_.get(), &one, sizeof one);
}

bool Profiler::wait_for_php(uint32_t question, Phase asked, uint64_t until_ms) {
    if (phase_ != asked) return true;
    ask_php();
    while (phase_ == asked) {
        if (monotonic_ms() >= until_ms || !stands(question)) return false;
        usleep(500);
    }
    return true;
}

void Profiler::look(const zend_execute_data* frame) {
    const std::lock_guard guard(lock_);
    switch (phase_) {
        case Phase::kNone: return;
        case Phase::kBegins:
            sampling_->begin();
            phase_ = Phase::kRuns;
            return;
        case Phase::kRuns: sampling_->look(frame); return;
        case Phase::kEnds:
            sampling_->end();
            phase_ = Phase::kNone;
            return;
    }
}

void Profiler::hear_bell() {
    uint64_t rung;
    (void)!read(bell_.get(), &rung, sizeof rung);
    look(EG(current_execute_data));
}

void on_interrupt(zend_execute_data* frame) {
    if (profiler && profiler->is_of_this_process()) profiler->look(frame);
    if (interrupt_before) interrupt_before(frame);
}

}  // namespace

void begin_profiling(ProfileDesk& desk, const Occasion* (*occasion)()) {
    current_occasion = occasion;
    profiler = new Profiler(desk, pthread_self());
    if (!profiler->begin()) {
        SLUICE_WARNING("Cannot start the thread that takes profiles: this process has none");
        delete profiler;
        profiler = nullptr;
        return;
    }
    if (scheduler()) scheduler()->watch_bell(profiler->bell(), [] { profiler->hear_bell(); });
}

void end_profiling() {
    // In a fork the thread does not exist, and a lock may be held for ever.
    if (profiler && profiler->is_of_this_process()) delete profiler;
    profiler = nullptr;
    HeapSampling::uninstall();
}

void let_profiler_interrupt() {
    interrupt_before = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
}

void end_interrupts_by_profiler() {
    if (zend_interrupt_function == on_interrupt) zend_interrupt_function = interrupt_before;
}

}  // namespace sluice::php
