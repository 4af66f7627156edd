#include "php/coroutine/preemption.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <poll.h>
#include <pthread.h>
#include <string_view>
#include <sys/eventfd.h>

#include "core/helper_thread.h"
#include "core/own_process.h"
#include "core/unique_fd.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

constexpr size_t kStackBytes = 64 * 1024;
/// A coroutine that runs at two ticks in a row has used up its slice.
constexpr uint32_t kTicksPerSlice = 2;

void (*interrupt_before)(zend_execute_data*) = nullptr;
std::atomic<bool> is_tick{false};
uint64_t seen = 0;  ///< the coroutine that ran at the last tick; 0: none
std::vector<std::string> whole_code;

/// A thread that asks PHP's thread to look, once for so much time that PHP's thread has computed.
class Ticks {
  public:
    bool begin(uint32_t period_ms) {
        if (!end_) end_ = UniqueFd(eventfd(0, EFD_CLOEXEC));
        if (!end_ || (errno = pthread_getcpuclockid(pthread_self(), &clock_)) != 0) return false;
        period_ms_ = period_ms;
        const int error = begin_helper_thread<&Ticks::run>(thread_, kStackBytes, *this);
        process_ = error ? 0 : OwnProcess::number();
        errno = error;
        return !error;
    }

    /// Does nothing in a fork, which has no such thread.
    void end() {
        if (process_ != 0 && process_ == OwnProcess::number()) {
            eventfd_write(end_.get(), 1);
            pthread_join(thread_, nullptr);
        }
        process_ = 0;
        end_.reset();
    }

  private:
    void run() const {
        pollfd end = {end_.get(), POLLIN, 0};
        const uint64_t least_ns = uint64_t{period_ms_} * 1'000'000 / 2;
        uint64_t before_ns = used_ns();
        while (poll(&end, 1, static_cast<int>(period_ms_)) == 0) {
            const uint64_t now_ns = used_ns();
            const bool computes = now_ns - before_ns >= least_ns;
            before_ns = now_ns;
            if (!computes) continue;
            is_tick.store(true);
            zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
        }
    }

    uint64_t used_ns() const {
        timespec used = {};
        clock_gettime(clock_, &used);
        return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(used.tv_nsec);
    }

    UniqueFd end_;
    clockid_t clock_ = 0;
    uint32_t period_ms_ = 0;
    pthread_t thread_ = {};
    pid_t process_ = 0;  ///< the process that has the thread; 0: none
};

Ticks ticks;

/// Whether code counts on running from one of its suspensions to the next.
bool is_whole(const zend_execute_data* frame) {
    if (!frame || !frame->func || !ZEND_USER_CODE(frame->func->type)) return true;
    const zend_string* const file = frame->func->op_array.filename;
    const std::string_view path(ZSTR_VAL(file), ZSTR_LEN(file));
    return path.starts_with(kLibraryFolder) ||
           std::any_of(whole_code.begin(), whole_code.end(),
                       [&](const std::string& one) { return path.starts_with(one); });
}

void give_turn(const zend_execute_data* frame) {
    Coroutine* const self = scheduler() ? suspendable() : nullptr;
    if (!self) return;
    if (seen != self->number) {
        seen = self->number;
        return;
    }
    if (self->shields || is_whole(frame)) return;
    seen = 0;
    scheduler()->suspend(*self, Scheduler::kNextTurn);
}

void on_interrupt(zend_execute_data* frame) {
    if (interrupt_before) interrupt_before(frame);
    if (is_tick.load(std::memory_order_relaxed) && is_tick.exchange(false)) give_turn(frame);
}

}  // namespace

bool preempt_after(uint32_t slice_ms, std::vector<std::string> whole) {
    ticks.end();
    whole_code = std::move(whole);
    return slice_ms == 0 || ticks.begin(std::max(slice_ms / kTicksPerSlice, 1u));
}

void let_slices_interrupt() {
    interrupt_before = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
}

void end_slices() {
    ticks.end();
    if (zend_interrupt_function == on_interrupt) zend_interrupt_function = interrupt_before;
}

}  // namespace sluice::php
