#pragma once

namespace sluice::php {

/// What a backtrace names as the file, in front of its path in src/php/library.
#define SLUICE_LIBRARY_FOLDER "sluice.so/"
inline constexpr char kLibraryFolder[] = SLUICE_LIBRARY_FOLDER;

// The classes that are written in PHP. Their sources are part of this extension, so they need no Composer,
// and are compiled when one of them is first used.

/// From here on PHP asks here for classes that it does not know, before the application's autoloaders.
void offer_library();
/// Before this extension is unloaded.
void withdraw_library();

}  // namespace sluice::php
