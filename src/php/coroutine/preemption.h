#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::php {

// Coroutines that compute for too long, and so give others no turn, are suspended between two opcodes.

/// From here on in this process, not in its forks. `slice_ms` is how long a coroutine may compute, about; 0:
/// none is suspended any more. Code of files whose paths begin with one of `whole`, and of the library, is
/// not interrupted. False with errno set when there is no thread for it.
bool preempt_after(uint32_t slice_ms, std::vector<std::string> whole);

/// For module startup: installs PHP's interrupt function, which runs between two opcodes.
void let_slices_interrupt();
/// Call it before this extension is unloaded.
void end_slices();

}  // namespace sluice::php
