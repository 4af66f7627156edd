#pragma once

#include <string>

#include "php/zend/php_api.h"

namespace sluice::php {

// Reads PHP's stack frames without calling PHP.

/// The prefix of file names of PHP code in src/php/library.
#define SLUICE_LIBRARY_FOLDER "sluice.so/"
inline constexpr std::string_view kLibraryFolder = SLUICE_LIBRARY_FOLDER;

/// Copies memory; false where there is none.
using ReadMemory = bool (*)(const void* from, void* to, size_t size);

/// For frames of the own thread.
bool read_own_memory(const void* from, void* to, size_t size);
/// For frames of another thread, which may change and vanish meanwhile: then the result is wrong, but nothing
/// crashes. Always false where the system does not allow it.
bool read_any_memory(const void* from, void* to, size_t size);

/// One frame of a stack.
struct StackFrame {
    std::string function;  ///< `C->f`; empty for a file's own code
    std::string file;      ///< empty for PHP's own functions
    uint32_t line = 0;
    uint32_t start_line = 0;  ///< of the function
    const zend_function* called = nullptr;
    const zend_execute_data* previous = nullptr;
};
/// False when the frame cannot be read.
bool read_frame(ReadMemory read, const zend_execute_data* at, StackFrame& frame);

/// Where PHP code stands in a process that this one has forked; empty when that cannot be seen.
std::string stack_of_child(int pid);

/// A backtrace in the format of exceptions, in lines: `/a.php:3`, then `#0 /a.php(7): f()` and so on. Empty
/// when `top` is nullptr or cannot be read.
std::string backtrace(const zend_execute_data* top, ReadMemory read);

/// The application's innermost line, and what it calls: `Redis->get() at /a.php:3`. Skips frames of
/// Sluice.
std::string place_of(const zend_execute_data* top);

}  // namespace sluice::php
