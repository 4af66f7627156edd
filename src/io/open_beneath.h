#pragma once

namespace sluice {

/// As openat(2), but never opens anything outside of the folder, whatever symbolic links are on the way and
/// whoever moves them meanwhile. -1 and errno on failure: EXDEV when the path leads out. `path` is relative,
/// without `..`.
int open_beneath(int folder, const char* path, int flags);

/// open_beneath() for kernels that do not know openat2(2), or forbid it: one step at a time, and through no
/// link at all (ELOOP).
int open_beneath_by_steps(int folder, const char* path, int flags);

}  // namespace sluice
