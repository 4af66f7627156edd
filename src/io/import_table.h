#pragma once

#include <span>

namespace sluice {

/// A function of the C library, and what is to be called in its place.
struct Redirection {
    const char* name;
    void* original;
    void* replacement;
    /// Libraries that must not be suspended in this call, by the beginnings of their names, separated by
    /// spaces.
    const char* not_in = "";
};

/// Writes the replacements into the import tables of the program and of every library that it has loaded, but
/// for the C library itself and this code's own: what those call stays what it was. Call again when more has
/// been loaded: what is done already stays as it is.
void redirect_imports(std::span<const Redirection> redirections);

/// Puts the originals back, wherever a replacement stands. Call before this code is unloaded.
void restore_imports(std::span<const Redirection> redirections);

/// Changes whenever a library has been loaded.
unsigned long long loaded_libraries();

}  // namespace sluice
