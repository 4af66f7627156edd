#pragma once

namespace sluice::php {

/// From now on this process looks for garbage cycles at a pace of its own (GarbagePace) where PHP would do so
/// by itself. What a script asks for by gc_collect_cycles() is done at once.
void pace_garbage();

/// Looks for garbage cycles at once; how many objects and arrays it has freed.
int collect_garbage();

}  // namespace sluice::php
