#pragma once

// Differences between PHP's versions, each with its reason. No other source file checks the
// version.

#include <ext/standard/basic_functions.h>
#include <php.h>
#include <span>
#include <utility>

namespace sluice::php {

/// What an iterator's `valid` answers: `int` up to PHP 8.3, `zend_result` from 8.4 on.
using IteratorAnswer = decltype(std::declval<zend_object_iterator_funcs>().valid(nullptr));

/// What http_get_last_response_headers() answers, a function from PHP 8.4 on; nullptr before.
inline zval* last_http_headers() {
#if PHP_VERSION_ID >= 80400
    return &BG(last_http_headers);
#else
    return nullptr;
#endif
}
template <typename Visit>
constexpr void visit_last_http_headers([[maybe_unused]] Visit&& visit) {
#if PHP_VERSION_ID >= 80400
    visit(BG(last_http_headers));
#endif
}

/// The callables of session_set_save_handler(): a union with an array of them up to PHP 8.3, a struct
/// from 8.4 on.
template <typename Names>
std::span<zval> session_callables(Names& names) {
    static_assert(sizeof names % sizeof(zval) == 0, "the callables of a session are values and nothing else");
    return {reinterpret_cast<zval*>(&names), sizeof names / sizeof(zval)};
}

/// Where a session was started, which session_start() tells when it is called again: from PHP 8.3 on.
template <typename Globals, typename Visit>
constexpr void visit_session_start(Globals& globals, Visit&& visit) {
    if constexpr (requires { globals.session_started_filename; })
        visit(globals.session_started_filename, globals.session_started_lineno);
}

/// An exceeded memory_limit that PHP has noted, to end the script by at its next opcode: in later builds of
/// PHP. Others end it at once.
template <typename Globals, typename Visit>
constexpr void visit_delayed_shortage(Globals& globals, Visit&& visit) {
    if constexpr (requires { globals.delayed_oom; }) visit(globals.delayed_oom);
}
/// Whether PHP has reported it, and lets nothing but exit()'s exception through until it is forgotten.
template <typename Globals>
constexpr bool ends_of_shortage(const Globals& globals) {
    if constexpr (requires { globals.delayed_oom.state; }) return globals.delayed_oom.state != 0;
    return false;
}

/// Whether objects of the class SQLite3, whose headers PHP does not install, have the fields of
/// php/hooks/sqlite3_connections.cc: so they do up to PHP 8.4.
constexpr bool kKnowsSqlite3Objects = PHP_VERSION_ID < 80500;

/// What opcache.jit and opcache.jit_buffer_size are where php.ini does not say: the JIT has no memory up to
/// PHP 8.3, and is disabled from 8.4 on.
inline constexpr const char* kJitByDefault = PHP_VERSION_ID < 80400 ? "tracing" : "disable";
inline constexpr const char* kJitBufferByDefault = PHP_VERSION_ID < 80400 ? "0" : "64M";

/// Whether the SOAP extension's globals have no field for a cache that nobody uses, and the fields of a call
/// in another order: from PHP 8.4 on; see php/coroutine/soap_aside.cc.
constexpr bool kSoapKeepsNoCache = PHP_VERSION_ID >= 80400;

/// Whether objects of the class PgSql\Connection have the fields of php/hooks/connection_identity.cc.
constexpr bool kKnowsPgsqlObjects = PHP_VERSION_ID < 80500;

/// Whether connections and results of odbc have the fields of php/hooks/odbc_connections.cc.
constexpr bool kKnowsOdbcObjects = PHP_VERSION_ID < 80500;

}  // namespace sluice::php
