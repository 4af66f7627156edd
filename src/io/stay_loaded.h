#pragma once

namespace sluice {

/// Keeps the code of this library where it is for as long as the process lives: threads that nobody waits for
/// return to it.
void stay_loaded();

}  // namespace sluice
