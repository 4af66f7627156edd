#include "server/worker_signals.h"

#include <csignal>

#include "io/doorbell.h"

namespace sluice {

namespace {
volatile sig_atomic_t asked_to_end = 0;
volatile int wake_fd = -1;

void do_nothing(int) {}

void end_soon(int) {
    asked_to_end = 1;
    Doorbell::ring(wake_fd);
}

void set(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}
}  // namespace

void ignore_terminal_signals() {
    // A handler and not SIG_IGN, which programs started by PHP code would inherit.
    for (int signal : {SIGINT, SIGHUP, SIGUSR1})
        set(signal, do_nothing);
    set(SIGPIPE, SIG_IGN);
}

void install_worker_signals(int doorbell_fd) {
    wake_fd = doorbell_fd;
    ignore_terminal_signals();
    set(SIGTERM, end_soon);
}

bool worker_was_asked_to_end() {
    return asked_to_end != 0;
}

}  // namespace sluice
