#pragma once

// clang-format off
#include "php/zend/php_api.h"
#include <SAPI.h>
#include <main/php_output.h>
// clang-format on

namespace sluice::php {

/// What PHP keeps of one request in its globals: variables, headers, the body, what is called at the end. A
/// plain value that is moved to them and from them as a whole.
struct ClassicGlobals {
    HashTable variables;  ///< all that are global, superglobals among them
    decltype(php_core_globals::http_globals) tracked;
    sapi_globals_struct sapi;
    HashTable* shutdown_functions;
    decltype(zend_output_globals::output_start_filename) output_file;
    decltype(zend_output_globals::output_start_lineno) output_line;
};

/// Moves them out of PHP's globals, and into them; whatever was there is lost.
void take_classic_globals(ClassicGlobals& kept);
void put_classic_globals(const ClassicGlobals& kept);
/// Those of a request that has not begun, with what is PHP's own out of those in place.
ClassicGlobals new_classic_globals();
/// Of those in place: destroys the variables, and calls destructors, which may make new ones.
void release_classic_variables();
/// Of those in place: gives back what they hold.
void release_classic_globals();

}  // namespace sluice::php
