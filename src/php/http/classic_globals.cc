#include "php/http/classic_globals.h"

#include <cstring>
#include <ext/standard/basic_functions.h>

namespace sluice::php {

namespace {

void release_zval(zval* value) {
    zval released;
    ZVAL_COPY_VALUE(&released, value);
    ZVAL_UNDEF(value);
    zval_ptr_dtor(&released);
}

/// The globals of PHP's zlib, whose header is not installed.
struct ZlibGlobals {
    zend_long output_compression;
    zend_long output_compression_level;
    char* output_handler;
    void* ob_gzhandler;
    zend_long output_compression_default;
    bool handler_registered;
    int compression_coding;
};

/// nullptr: PHP has no zlib, or other globals.
const zend_module_entry* zlib_module() {
    static const zend_module_entry* const found = [] {
        const auto* const module = static_cast<const zend_module_entry*>(
            zend_hash_str_find_ptr(&module_registry, ZEND_STRL("zlib")));
        return module && module->globals_size == sizeof(ZlibGlobals) ? module : nullptr;
    }();
    return found;
}

ZlibGlobals* zlib_globals() {
    return zlib_module() ? static_cast<ZlibGlobals*>(zlib_module()->globals_ptr) : nullptr;
}

ZlibState take_zlib() {
    const ZlibGlobals* const zlib = zlib_globals();
    if (!zlib) return {};
    return {zlib->output_compression, zlib->ob_gzhandler, zlib->handler_registered, zlib->compression_coding};
}

void put_zlib(const ZlibState& kept) {
    ZlibGlobals* const zlib = zlib_globals();
    if (!zlib) return;
    zlib->output_compression = kept.output_compression;
    zlib->ob_gzhandler = kept.ob_gzhandler;
    zlib->handler_registered = kept.handler_registered;
    zlib->compression_coding = kept.compression_coding;
}

constexpr int kFlagsOfRequest = PHP_OUTPUT_DISABLED | PHP_OUTPUT_WRITTEN | PHP_OUTPUT_SENT;

}  // namespace

void take_classic_globals(ClassicGlobals& kept) {
    kept.variables = EG(symbol_table);
    memcpy(kept.tracked, PG(http_globals), sizeof kept.tracked);
    kept.sapi = sapi_globals;
    kept.shutdown_functions = BG(user_shutdown_function_names);
    kept.output_file = OG(output_start_filename);
    kept.output_line = OG(output_start_lineno);
    kept.output_flags = OG(flags) & kFlagsOfRequest;
    kept.connection_status = PG(connection_status);
    kept.zlib = take_zlib();
}

void put_classic_globals(const ClassicGlobals& kept) {
    EG(symbol_table) = kept.variables;
    memcpy(PG(http_globals), kept.tracked, sizeof kept.tracked);
    sapi_globals = kept.sapi;
    BG(user_shutdown_function_names) = kept.shutdown_functions;
    OG(output_start_filename) = kept.output_file;
    OG(output_start_lineno) = kept.output_line;
    OG(flags) = (OG(flags) & ~kFlagsOfRequest) | kept.output_flags;
    PG(connection_status) = kept.connection_status;
    put_zlib(kept.zlib);
}

ClassicGlobals new_classic_globals() {
    ClassicGlobals made;
    take_classic_globals(made);
    zend_hash_init(&made.variables, 32, nullptr, ZVAL_PTR_DTOR, false);
    zend_hash_real_init_mixed(&made.variables);
    for (zval& value : made.tracked)
        ZVAL_UNDEF(&value);
    made.sapi.request_info = {};
    // PHP reads a body for a server only.
    made.sapi.server_context = &sapi_module;
    // With argc 1 PHP builds no $argv of the command's arguments.
    made.sapi.request_info.argc = 1;
    made.shutdown_functions = nullptr;
    made.output_file = nullptr;
    made.output_line = 0;
    made.output_flags = 0;
    made.connection_status = PHP_CONNECTION_NORMAL;
    made.zlib = {};
    return made;
}

void begin_classic_output(size_t buffer_bytes) {
    bool is_handled = false;
    if (PG(output_handler) && *PG(output_handler)) {
        zval handler;
        ZVAL_STRING(&handler, PG(output_handler));
        is_handled = php_output_start_user(&handler, 0, PHP_OUTPUT_HANDLER_STDFLAGS) == SUCCESS;
        zval_ptr_dtor(&handler);
    }
    if (!is_handled) php_output_start_user(nullptr, buffer_bytes, PHP_OUTPUT_HANDLER_STDFLAGS);
    // Looks at the settings, and at what the client accepts.
    if (const zend_module_entry* const zlib = zlib_module())
        zlib->request_startup_func(zlib->type, zlib->module_number);
}

void release_classic_objects() {
    // As PHP does at a request's end, before its output ends.
    uint32_t before;
    do {
        before = zend_hash_num_elements(&EG(symbol_table));
        zend_hash_reverse_apply(&EG(symbol_table), [](zval* value) {
            if (Z_TYPE_P(value) == IS_INDIRECT) value = Z_INDIRECT_P(value);
            const bool is_alone = Z_TYPE_P(value) == IS_OBJECT && Z_REFCOUNT_P(value) == 1;
            return is_alone ? int{ZEND_HASH_APPLY_REMOVE} : int{ZEND_HASH_APPLY_KEEP};
        });
    } while (zend_hash_num_elements(&EG(symbol_table)) != before);
}

void release_classic_variables() {
    zend_hash_graceful_reverse_destroy(&EG(symbol_table));
    zend_hash_init(&EG(symbol_table), 0, nullptr, ZVAL_PTR_DTOR, false);
}

void lose_classic_variables() {
    EG(symbol_table).pDestructor = nullptr;
    release_classic_variables();
}

void release_classic_globals() {
    release_classic_variables();
    // Close the stream with its memory, which PHP leaves to the end of the process.
    if (php_stream* const body = SG(request_info).request_body) {
        SG(post_read) = 1;
        php_stream_close(body);
    }
    sapi_deactivate();
    for (zval& value : PG(http_globals))
        release_zval(&value);
    // Frees what ob_gzhandler() has allocated when it was called as a function.
    if (const zend_module_entry* const zlib = zlib_module())
        zlib->request_shutdown_func(zlib->type, zlib->module_number);
    if (OG(output_start_filename)) {
        zend_string_release(OG(output_start_filename));
        OG(output_start_filename) = nullptr;
    }
}

}  // namespace sluice::php
