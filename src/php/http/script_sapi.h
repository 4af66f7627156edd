#pragma once

#include "php/http/script_place.h"
#include "server/seam/messages.h"

namespace sluice::php {

struct Worker;

// PHP as a server's module (SAPI) in a process that serves scripts: for each request PHP begins a request of
// its own, and ends it, as in php-fpm.

/// Where the response goes.
class ScriptSink {
  public:
    /// Sends the head, or a further part of the body. `done`: nothing more comes of this request. False: the
    /// client has gone. Blocks while there is no room.
    virtual bool send(const Command& command, bool done) = 0;

  protected:
    ~ScriptSink() = default;
};

/// Ends the request of PHP's command line in which the server's script runs, in a fork that never returns to
/// that script: nothing of the script is called for it. Everything of the script is gone afterwards.
void leave_boot();

/// Once, after leave_boot().
void become_script_sapi();

/// Runs the script for the request, from the start of PHP's request to its end. False when PHP cannot go on
/// in this process.
bool run_script(Worker& worker, const Inbound& message, const ScriptPlace& place, ScriptSink& sink);

}  // namespace sluice::php
