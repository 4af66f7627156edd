#pragma once

#include "php/coroutine/isolation.h"
#include "php/http/classic_globals.h"

namespace sluice::php {

// A request as PHP's own servers have it: the handler finds it in superglobals, and answers by header() and
// echo. All of that is the request's own while it waits.

class ClassicRequest;

/// Begins one for the running handler; `script`: the file that answers, or nullptr. Waits for a body that is
/// still arriving; nullptr when that has thrown.
ClassicRequest* begin_classic(zend_object* request, zend_object* response, zend_string* script);
/// After the handler: calls what was left for the end, and answers by what was put out. An exception that
/// nobody has handled is set afterwards, and nothing was answered; exit() is not set any more.
void end_classic(ClassicRequest* classic);

/// Calls the handler in between. When the request was begun already, it is only called.
template <typename Call>
void run_classic(zend_object* request, zend_object* response, zend_string* script, const Call& call) {
    if (request_globals()) return call();
    ClassicRequest* const classic = begin_classic(request, response, script);
    if (!EG(exception)) call();
    end_classic(classic);
}

/// Before the script begins; before this extension is unloaded.
void prepare_classic();
void release_classic();

}  // namespace sluice::php
