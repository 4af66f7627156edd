#pragma once

namespace sluice {

/// Makes signals something that an EventLoop waits for like any other descriptor: a signal that is watched
/// does what it always did, and then rings. A ring that comes before the loop sleeps is not lost, as an
/// interrupted system call would be. One bell in a process.
class SignalBell {
  public:
    /// Readable after a signal, until drain(); -1 when there are no descriptors left.
    static int fd();
    static void drain();

    /// Begins to ring for `signal`. Whoever sets another handler later takes the bell away: call again before
    /// each wait that relies on it, or when a handler has been set. False when the signal is ignored, which
    /// for SIGCHLD also means that the kernel tells nobody how a child ended.
    ///
    /// A signal that ends the process by default does nothing else once it is watched.
    static bool watch(int signal);
    /// Whether some other handler than the bell is there now.
    static bool has_other_handler(int signal);
    /// Gives every signal back to who had it before. Call before this code is unloaded.
    static void remove();
};

}  // namespace sluice
