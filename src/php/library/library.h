#pragma once

namespace sluice::php {

// The classes that are written in PHP. Their sources are part of this extension, so they need no Composer,
// and are compiled when one of them is first used.

/// From here on PHP looks here for unknown classes, before the application's autoloaders.
void offer_library();
/// Before this extension is unloaded.
void withdraw_library();

}  // namespace sluice::php
