#pragma once

namespace sluice {

/// Turns signals into a descriptor for an EventLoop (the self-pipe trick): a watched signal runs its former
/// handler, and then rings. A ring before the loop sleeps is not lost, unlike the interruption of a system
/// call. One bell in a process.
class SignalBell {
  public:
    /// Readable after a signal, until drain(); -1 when there are no descriptors left.
    static int fd();
    static void drain();

    /// Begins to ring for `signal`. Another handler that is set later replaces the bell: call this again
    /// before each wait that relies on it, or after a handler has been set. False when the signal is ignored;
    /// an ignored SIGCHLD also means that nobody gets a child's exit status.
    ///
    /// A signal that ends the process by default does nothing else once it is watched.
    static bool watch(int signal);
    /// Whether the current handler is another one than the bell.
    static bool has_other_handler(int signal);
    /// Restores the former handler of every signal. Call before this code is unloaded.
    static void remove();
};

}  // namespace sluice
