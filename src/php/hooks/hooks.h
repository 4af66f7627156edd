#pragma once

namespace sluice::php {

/// From here on the C library's blocking calls suspend their coroutine. Elsewhere - in other threads, outside
/// coroutines, where a Fiber cannot be switched - they block as usual. `sluice.hooks` selects the calls. For
/// the calling thread; may be called again.
void install_hooks();

/// Hooks libraries that were loaded since; cheap when there are none.
void hook_new_libraries();

/// Call it before this extension is unloaded.
void remove_hooks();

}  // namespace sluice::php
