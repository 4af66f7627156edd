#pragma once

#include <string>

#include "php/zend/php_api.h"

namespace sluice::php {

// Where PHP code stands, read from its frames without calling anything of PHP's.

/// What stands in front of the path in src/php/library, as the file of what Sluice has written in PHP.
#define SLUICE_LIBRARY_FOLDER "sluice.so/"
inline constexpr std::string_view kLibraryFolder = SLUICE_LIBRARY_FOLDER;

/// Copies memory; false where there is none.
using ReadMemory = bool (*)(const void* from, void* to, size_t size);

/// For the frames of the own thread.
bool read_own_memory(const void* from, void* to, size_t size);
/// For those of another thread, which may change and vanish meanwhile: then what comes out is wrong, and
/// nothing worse. False for everything where the system does not allow it.
bool read_any_memory(const void* from, void* to, size_t size);

/// As an exception would have it, in lines: `/a.php:3`, then `#0 /a.php(7): f()` and so on. Empty when `top`
/// is nullptr or cannot be read.
std::string backtrace(const zend_execute_data* top, ReadMemory read);

/// The application's own line that stands in a call, and what it calls: `Redis->get() at /a.php:3`. Passes
/// over what is part of Sluice.
std::string place_of(const zend_execute_data* top);

}  // namespace sluice::php
