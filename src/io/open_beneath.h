#pragma once

namespace sluice {

/// As openat(2), but what the path names stands below the folder, whatever symbolic links stand on the way
/// and whoever moves them meanwhile. -1 and errno otherwise: EXDEV for a way out. `path` is relative, without
/// `..`.
int open_beneath(int folder, const char* path, int flags);

/// open_beneath() for kernels that do not know openat2(2), or forbid it: one step at a time, and through no
/// link at all (ELOOP).
int open_beneath_by_steps(int folder, const char* path, int flags);

}  // namespace sluice
