#pragma once

#include <span>

namespace sluice {

/// A function of the C library, and its replacement.
struct Redirection {
    const char* name;
    void* original;
    void* replacement;
    /// Libraries whose calls must not suspend, by the beginnings of their names, separated by
    /// spaces.
    const char* not_in = "";
};

/// Writes the replacements into the import tables of the program and of every library that it has loaded,
/// except the C library and this code: their own calls are not replaced. Call again when more libraries have
/// been loaded; doing it twice is harmless.
void redirect_imports(std::span<const Redirection> redirections);

/// Leaves a library alone from now on, the one that has this address; not the program.
void leave_alone(const void* address);

/// Puts the originals back in the place of all replacements. Call before this code is unloaded.
void restore_imports(std::span<const Redirection> redirections);

/// Changes whenever a library has been loaded.
unsigned long long loaded_libraries();

}  // namespace sluice
