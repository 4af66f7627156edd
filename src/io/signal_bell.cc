#include "io/signal_bell.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

#include "io/doorbell.h"

namespace sluice {

namespace {

constexpr int kSignals = NSIG;

// Read by the handler: written while the signal is not watched, or to values that are valid before and after.
struct sigaction before[kSignals];
bool watched[kSignals];
int bell = -1;

void ring(int signal, siginfo_t* information, void* context) {
    const int error = errno;
    const struct sigaction& first = before[signal];
    if (first.sa_flags & SA_SIGINFO) {
        first.sa_sigaction(signal, information, context);
    } else if (first.sa_handler != SIG_DFL && first.sa_handler != SIG_IGN) {
        first.sa_handler(signal);
    }
    Doorbell::ring(bell);
    errno = error;
}

bool is_ours(const struct sigaction& action) {
    return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == ring;
}

bool is_ignored(const struct sigaction& action) {
    return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN;
}

bool is_default(const struct sigaction& action) {
    return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

}  // namespace

int SignalBell::fd() {
    if (bell < 0) bell = Doorbell::create_fd();
    return bell;
}

void SignalBell::drain() {
    if (bell >= 0) Doorbell::drain(bell);
}

bool SignalBell::watch(int signal) {
    struct sigaction now;
    if (fd() < 0 || signal <= 0 || signal >= kSignals || sigaction(signal, nullptr, &now) != 0) return false;
    if (is_ours(now)) return true;
    if (is_ignored(now)) return false;
    struct sigaction action = now;
    // After a one-shot handler (SA_RESETHAND) the kernel would restore the default in place of the bell.
    action.sa_flags = (now.sa_flags & ~static_cast<int>(SA_RESETHAND)) | SA_SIGINFO;
    if (is_default(now)) action.sa_flags |= SA_RESTART;
    action.sa_sigaction = ring;
    // No handler may see a half-written entry.
    sigset_t only, mask;
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_BLOCK, &only, &mask);
    before[signal] = now;
    watched[signal] = sigaction(signal, &action, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    return watched[signal];
}

bool SignalBell::has_other_handler(int signal) {
    struct sigaction now;
    return sigaction(signal, nullptr, &now) == 0 && !is_ours(now) && !is_ignored(now) && !is_default(now);
}

void SignalBell::remove() {
    for (int signal = 1; signal < kSignals; ++signal) {
        if (!watched[signal]) continue;
        watched[signal] = false;
        struct sigaction now;
        if (sigaction(signal, nullptr, &now) == 0 && is_ours(now))
            sigaction(signal, &before[signal], nullptr);
    }
    if (bell >= 0) close(bell);
    bell = -1;
}

}  // namespace sluice
