#pragma once

namespace sluice::php {

// Connections that two coroutines use at once. A driver would send the second one's command into the middle
// of the first one's answer; so the second one's call is not made.

/// Before the script begins: from here on the calls of the drivers that are known here look who is in one
/// already.
void guard_connections();
/// Before this extension is unloaded.
void release_guards();

}  // namespace sluice::php
