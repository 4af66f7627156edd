#include "php/server/script_processes.h"

#include <cstdio>
#include <unistd.h>

#include "core/log.h"
#include "php/coroutine/no_waiting.h"
#include "php/coroutine/refused_calls.h"
#include "php/coroutine/soap_aside.h"
#include "php/hooks/connection_guards.h"
#include "php/http/classic_request.h"
#include "php/http/script_sapi.h"
#include "php/worker/misplaced_output.h"
#include "php/worker/worker.h"
#include "server/master/script_port.h"
#include "server/master/worker_signals.h"

namespace sluice::php {

namespace {

class Sink final : public ScriptSink {
  public:
    explicit Sink(ScriptPort& port) : port_(port) {}
    bool send(const Command& command, bool done) override { return port_.answer(command, done); }

  private:
    ScriptPort& port_;
};

/// What watches over code of coroutines has nothing to do in a process that has none.
void drop_guards() {
    release_guards();
    release_calls_without_waiting();
    release_soap();
    release_refused_calls();
    release_classic();
    release_fatal_errors();
    release_misplaced_output();
}

}  // namespace

void serve_scripts(Worker& worker) {
    // The generation has made this port, which it makes for no other process.
    auto& port = static_cast<ScriptPort&>(*worker.port);
    Sink sink(port);
    ScriptPlace place;
    leave_boot();
    drop_guards();
    become_script_sapi();
    leave_signals_to_master();
    bool goes_on = true;
    for (Inbound message; goes_on && port.take(message);) {
        if (!ScriptPlace::unpack(port.script(), place)) {
            SLUICE_ERROR("a request for a script does not say which one");
        } else {
            goes_on = run_script(worker, message, place, sink);
        }
        if (!worker.forked) port.finished(message);
    }
    std::fflush(nullptr);
    _exit(worker.forked ? EG(exit_status) : 0);
}

}  // namespace sluice::php
