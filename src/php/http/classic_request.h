#pragma once

#include "php/coroutine/fatal_errors.h"
#include "php/coroutine/isolation.h"
#include "php/http/classic_globals.h"

namespace sluice::php {

// A request as in PHP-FPM: the handler reads superglobals, and answers by header() and echo. All of these are
// saved for the request while it waits.

class ClassicRequest;

/// Begins a classic request for the running handler; `script`: the file that answers, or nullptr. Waits for
/// an arriving body; nullptr when that has thrown.
ClassicRequest* begin_classic(zend_object* request, zend_object* response, zend_string* script);
/// Call it after the handler: runs shutdown functions, and answers with the output. An unhandled exception is
/// set afterwards, without an answer; exit() is cleared.
void end_classic(ClassicRequest* classic);

/// Calls the handler between begin and end. When the request was begun already, only calls it.
template <typename Call>
void run_classic(zend_object* request, zend_object* response, zend_string* script, const Call& call) {
    if (request_globals()) return call();
    ClassicRequest* const classic = begin_classic(request, response, script);
    if (!EG(exception)) call_until_fatal_error(call);
    end_classic(classic);
}

/// Call it when the script's output buffers have ended: what it has asked PHP to rewrite is its own output.
/// Left on, it would keep PHP from giving the first page the buffer that rewrites it.
void end_rewriting_of_script();

/// Call them before the script begins, and before this extension is unloaded.
void prepare_classic();
void release_classic();

}  // namespace sluice::php
