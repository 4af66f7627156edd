#pragma once

namespace sluice::php {

// Functions of PHP's own that a coroutine may not call, as they would mix up requests. They throw, and say
// what to use instead.

/// Call them before the script begins, and before this extension is unloaded.
void refuse_calls_in_coroutines();
void release_refused_calls();

/// `allowed` is asked at each session_start(): whether the running code has a session of its own.
void allow_sessions(bool (*allowed)());
/// `handling` is asked outside of coroutines: whether the running code is a handler's.
void refuse_sessions_of_handlers(bool (*handling)());

}  // namespace sluice::php
