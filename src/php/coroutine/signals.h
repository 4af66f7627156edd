#pragma once

#include <sys/types.h>

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

// Signals and the ends of child processes, for waiting coroutines. Handlers of pcntl_signal() also run while
// all coroutines wait.

/// Waits until the child has ended, whose status is left to waitpid(2), or until `due_ms`; 0: for ever. Also
/// returns kWoken at once where the child cannot be watched: call waitpid() with WNOHANG, and if that has no
/// result, block.
Wake wait_for_child(Coroutine& self, pid_t child, uint64_t due_ms);

/// Whether wait_for_signal() will notice this signal from here on: call it first, then check whether the
/// awaited event has happened already, then wait.
bool expect_signal(int signal);
/// Waits until any signal has come: then check for the awaited event, and perhaps wait again. For SIGCHLD, to
/// wait for any child.
Wake wait_for_signal(Coroutine& self, uint64_t due_ms);

// -- For the start and end of the scheduler and of the module

/// Whether a coroutine waits for a signal, or the script has a signal handler, which may wake others.
bool awaits_signals();
/// Call it before the script begins: notes from here on which signals the script handles.
void note_handled_signals();
/// From here on the scheduler's loop is woken by signals that the script handles.
void begin_signals();
void end_signals();
/// Restores every signal handler; call it before the extension is unloaded.
void remove_signals();

}  // namespace sluice::php
