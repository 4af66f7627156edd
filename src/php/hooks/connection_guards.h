#pragma once

namespace sluice::php {

// Guards connections against use by two coroutines at once. A driver would send the second one's command into
// the middle of the first one's answer; so the second call is refused.

/// Call it before the script begins: from here on calls of the known drivers check whether the connection is
/// in use.
void guard_connections();
/// Call it before this extension is unloaded.
void release_guards();

}  // namespace sluice::php
