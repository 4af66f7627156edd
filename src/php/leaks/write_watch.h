#pragma once

#include <string>

#include "php/zend/php_api.h"

namespace sluice::php {

/// Records where PHP code writes to what may outlive a request, for the leak detector. Handlers for the
/// opcodes that write do it: code that is compiled after begin_write_watch() has them. Where nobody looks for
/// leaks PHP runs without them.
///
/// The thing that is written to has a number: a property by its object or class and its name, a global
/// variable by its name, another variable by its reference. Elements of arrays count as what holds the array.

uint64_t property_thing(const void* object_or_class, zend_ulong name_hash);
uint64_t global_thing(zend_ulong name_hash);
/// The object as a whole: its elements, and what its own methods written in C change.
uint64_t object_thing(const zend_object* object);
uint64_t reference_thing(const zend_reference* reference);

/// Has code that is compiled from now on watched, and switches the JIT off: its code would not be watched.
void begin_write_watch();
/// Has code watched that was compiled before. Call it once the boot is through.
void watch_compiled_code();

/// Forgets all, and notes what is written from now on; or nothing, as long as only the leak detector's own code
/// runs.
void record_writes(bool on);

/// Where the things were written to: `/a.php:3, /b.php:5`. Empty: unknown.
std::string written_at(uint64_t thing);
/// Where functions were called that change what `subject` names: `the time zone`, `the setting precision`.
std::string called_at(std::string_view subject);

}  // namespace sluice::php
