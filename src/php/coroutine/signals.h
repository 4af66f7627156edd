#pragma once

#include <sys/types.h>

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

// Signals and the ends of children, for coroutines that wait. What the script handles with pcntl_signal() is
// handled while all of them wait, too.

/// Waits until the child has ended, which leaves its status to waitpid(2); until `due_ms` at the latest, 0:
/// for ever. Also returns kWoken at once where it cannot be waited for: ask again with WNOHANG, and where
/// that has no answer either, block.
Wake wait_for_child(Coroutine& self, pid_t child, uint64_t due_ms);

/// Whether wait_for_signal() would be told of this one, from here on: ask first, then look whether what is
/// waited for has happened already, then wait.
bool expect_signal(int signal);
/// Waits until some signal has come: look again whether it was the one, and go on waiting. For SIGCHLD, when
/// any child may end.
Wake wait_for_signal(Coroutine& self, uint64_t due_ms);

// -- For what begins and ends with the scheduler, and with the module

/// Whether somebody waits for a signal, or the script has a handler that may wake anybody.
bool awaits_signals();
/// Before the script begins: from here on what it handles is noted.
void note_handled_signals();
/// While it lives the loop is told of signals that the script handles.
void begin_signals();
void end_signals();
/// Puts every signal handler back; before the extension is unloaded.
void remove_signals();

}  // namespace sluice::php
