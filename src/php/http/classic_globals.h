#pragma once

// clang-format off
#include "php/zend/php_api.h"
#include <SAPI.h>
#include <main/php_output.h>
// clang-format on

namespace sluice::php {

/// PHP's globals of one request: variables, headers, the body, shutdown functions. A plain value that is
/// moved to and from PHP's globals as a whole.
struct ClassicGlobals {
    HashTable variables;  ///< all global variables, including superglobals
    decltype(php_core_globals::http_globals) tracked;
    sapi_globals_struct sapi;
    HashTable* shutdown_functions;
    decltype(zend_output_globals::output_start_filename) output_file;
    decltype(zend_output_globals::output_start_lineno) output_line;
    int compression;  ///< what ob_gzhandler() has found that the client accepts
};

/// Moves them out of PHP's globals, and into PHP's globals, whose contents are lost.
void take_classic_globals(ClassicGlobals& kept);
void put_classic_globals(const ClassicGlobals& kept);
/// Globals for a new request; PHP's own part is taken from the installed ones.
ClassicGlobals new_classic_globals();
/// Destroys the objects that installed variables alone have, and calls their destructors.
void release_classic_objects();
/// Destroys the installed variables, and calls destructors, which may make new ones.
void release_classic_variables();
/// Frees the installed globals.
void release_classic_globals();

}  // namespace sluice::php
