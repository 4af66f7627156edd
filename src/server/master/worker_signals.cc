#include "server/master/worker_signals.h"

#include <csignal>
#include <initializer_list>

namespace sluice {

namespace {
void do_nothing(int) {}
}  // namespace

void leave_signals_to_master() {
    struct sigaction action {};
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    action.sa_handler = do_nothing;
    for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2})
        sigaction(signal, &action, nullptr);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, nullptr);
}

void take_signals_back() {
    for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) {
        struct sigaction action;
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != do_nothing) continue;
        action.sa_handler = SIG_DFL;
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace sluice
