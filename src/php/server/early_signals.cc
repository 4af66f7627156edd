#include "php/server/early_signals.h"

#include <csignal>
#include <initializer_list>
#include <unistd.h>

#include "php/zend/php_api.h"
#include "server/master/early_reload.h"

namespace sluice::php {

namespace {

/// PHP's own signal handler precedes all others, and knows which signals have none.
bool has_handler(int signal) {
#ifdef ZEND_SIGNALS
    return SIGG(handlers)[signal - 1].handler != reinterpret_cast<void*>(SIG_DFL);
#else
    struct sigaction now {};
    return sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL;
#endif
}

void end_at_once(int) {
    _exit(0);
}

}  // namespace

void remember_early_signals() {
    struct sigaction action {};
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    action.sa_handler = note_early_reload;
    for (int signal : {SIGHUP, SIGUSR1})
        if (!has_handler(signal)) sigaction(signal, &action, nullptr);
}

void end_well_on_signals() {
    struct sigaction action {};
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    action.sa_handler = end_at_once;
    for (int signal : {SIGTERM, SIGINT})
        if (!has_handler(signal)) sigaction(signal, &action, nullptr);
}

}  // namespace sluice::php
