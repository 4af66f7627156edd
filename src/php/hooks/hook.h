#pragma once

#include "io/import_table.h"

/// The redirection of a function of the C library to hooked_<its name>.
#define SLUICE_HOOK(name) SLUICE_HOOK_NOT_IN(name, "")

/// The redirection of a function in all libraries but those whose names begin with one of the words.
#define SLUICE_HOOK_NOT_IN(name, words)                                                             \
    ::sluice::Redirection {                                                                         \
#name, reinterpret_cast < void*>(&::name), reinterpret_cast < void*>(&hooked_##name), words \
    }
