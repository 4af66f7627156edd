#pragma once

namespace sluice::php {

// The classes that are written in PHP. Their sources are part of this extension, so they need no Composer,
// and are compiled when one of them is first used.

/// From here on PHP asks here for classes that it does not know, before the application's autoloaders.
void offer_library();
/// Before this extension is unloaded.
void withdraw_library();

}  // namespace sluice::php
