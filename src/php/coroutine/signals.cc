#include "php/coroutine/signals.h"

#include <csignal>
#include <poll.h>

#include "io/child_exit.h"
#include "io/signal_bell.h"
#include "php/coroutine/wait_queue.h"
#include "php/zend/exceptions.h"

namespace sluice::php {

namespace {

zif_handler pcntl_signal_handler = nullptr;
bool handled[NSIG];  ///< which signals the script handles
WaitQueue waiters;

zend_function* pcntl_signal_function() {
    return static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("pcntl_signal")));
}

/// Runs the signal handlers that PHP would run between two opcodes, while no code runs.
void handle_signals(const void*) {
    if (!zend_atomic_bool_load_ex(&EG(vm_interrupt))) return;
    zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
    if (zend_interrupt_function) zend_interrupt_function(EG(current_execute_data));
    if (EG(exception)) log_exception("a signal handler");
}

/// Called when the bell has rung.
void hear_signals() {
    SignalBell::drain();
    waiters.wake_all();
    if (zend_atomic_bool_load_ex(&EG(vm_interrupt))) scheduler()->start_later(handle_signals, nullptr);
}

void watch_bell() {
    scheduler()->watch_bell(SignalBell::fd(), hear_signals);
}

/// Watches the signal again after pcntl has replaced the bell's handler.
void watch_handled(int signal) {
    if (scheduler() && handled[signal] && SignalBell::watch(signal)) watch_bell();
}

void pcntl_signal_and_watch(INTERNAL_FUNCTION_PARAMETERS) {
    pcntl_signal_handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (EG(exception) || Z_TYPE_P(return_value) != IS_TRUE || ZEND_NUM_ARGS() < 2) return;
    const zval* signal = ZEND_CALL_ARG(execute_data, 1);
    if (Z_TYPE_P(signal) != IS_LONG || Z_LVAL_P(signal) <= 0 || Z_LVAL_P(signal) >= NSIG) return;
    // SIG_DFL and SIG_IGN are integers.
    handled[Z_LVAL_P(signal)] = Z_TYPE_P(ZEND_CALL_ARG(execute_data, 2)) != IS_LONG;
    watch_handled(static_cast<int>(Z_LVAL_P(signal)));
}

}  // namespace

Wake wait_for_child(Coroutine& self, pid_t child, uint64_t due_ms) {
    const int fd = watch_child(child).release();
    if (fd < 0) return Wake::kWoken;
    FdWait wait{fd, POLLIN, &self, nullptr};
    Wake wake = Wake::kWoken;
    scheduler()->suspend_for(self, {&wait, 1}, due_ms, wake);
    close(fd);
    return wake;
}

bool expect_signal(int signal) {
    if (!scheduler() || !SignalBell::watch(signal)) return false;
    watch_bell();
    return true;
}

Wake wait_for_signal(Coroutine& self, uint64_t due_ms) {
    Waiter waiter{&self, nullptr};
    waiters.add(waiter);
    const Wake wake = scheduler()->suspend(self, due_ms);
    waiters.remove(waiter);
    return wake;
}

bool awaits_signals() {
    if (waiters.first) return true;
    for (bool one : handled)
        if (one) return true;
    return false;
}

void note_handled_signals() {
    zend_function* function = pcntl_signal_function();
    if (!function || pcntl_signal_handler) return;
    pcntl_signal_handler = function->internal_function.handler;
    function->internal_function.handler = pcntl_signal_and_watch;
}

void begin_signals() {
    // Watch the signals whose handlers were set before there was a loop.
    for (int signal = 1; signal < NSIG; ++signal)
        watch_handled(signal);
}

void end_signals() {
    SignalBell::remove();
}

void remove_signals() {
    SignalBell::remove();
    zend_function* function = pcntl_signal_function();
    if (function && pcntl_signal_handler) function->internal_function.handler = pcntl_signal_handler;
    pcntl_signal_handler = nullptr;
}

}  // namespace sluice::php
