#pragma once

namespace sluice::php {

/// From here on the C library's calls that wait suspend the coroutine they are made in. Everywhere else - in
/// other threads, outside coroutines, where a Fiber cannot be switched - they do what they always did.
/// `sluice.hooks` says which ones. Belongs to the calling thread; may be called again.
void install_hooks();

/// Looks for libraries loaded since then; cheap.
void hook_new_libraries();

/// Before this extension is unloaded.
void remove_hooks();

}  // namespace sluice::php
