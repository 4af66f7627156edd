#pragma once

// clang-format off
#include "php/zend/php_api.h"
#include <SAPI.h>
#include <main/php_output.h>
// clang-format on

namespace sluice::php {

/// Of PHP's zlib, which compresses the output of ob_gzhandler() and of zlib.output_compression.
struct ZlibState {
    zend_long output_compression;  ///< the size of its buffers; 0: off
    void* ob_gzhandler;            ///< of calls as a function
    bool handler_registered;
    int compression_coding;  ///< what it has found that the client accepts; 0: not looked yet, or nothing
};

/// PHP's globals of one request: variables, headers, the body, shutdown functions. A plain value that is
/// moved to and from PHP's globals as a whole.
struct ClassicGlobals {
    HashTable variables;  ///< all global variables, including superglobals
    decltype(php_core_globals::http_globals) tracked;
    sapi_globals_struct sapi;
    HashTable* shutdown_functions;
    decltype(zend_output_globals::output_start_filename) output_file;
    decltype(zend_output_globals::output_start_lineno) output_line;
    decltype(zend_output_globals::flags) output_flags;  ///< whether output was written, sent, or is refused
    short connection_status;
    ZlibState zlib;
};

/// Moves them out of PHP's globals, and into PHP's globals, whose contents are lost.
void take_classic_globals(ClassicGlobals& kept);
void put_classic_globals(const ClassicGlobals& kept);
/// Globals for a new request; PHP's own part is taken from the installed ones.
ClassicGlobals new_classic_globals();
/// Begins the output buffers that php.ini asks for, as PHP does at a request's begin: `output_handler`,
/// otherwise one that is flushed at this size, and `zlib.output_compression` within. The superglobals must be
/// there.
void begin_classic_output(size_t buffer_bytes);
/// Destroys the objects that installed variables alone have, and calls their destructors.
void release_classic_objects();
/// Destroys the installed variables, and calls destructors, which may make new ones.
void release_classic_variables();
/// Forgets the installed variables: their values are lost.
void lose_classic_variables();
/// Frees the installed globals.
void release_classic_globals();

}  // namespace sluice::php
