#pragma once

namespace sluice {

/// Keeps this library loaded as long as the process lives: detached threads still run its
/// code.
void stay_loaded();

}  // namespace sluice
