#pragma once

#include "php/coroutine/engine_fields.h"
#include "php/coroutine/error_handlers.h"
#include "php/coroutine/libxml_aside.h"
#include "php/coroutine/session_variable.h"
#include "php/zend/php_api.h"

namespace sluice::php {

// PHP keeps many states once for the process, as it runs one request at a time. A coroutine's states are
// saved while it waits; docs/isolation.md has the table.

/// Call them before the first coroutine, and after the last one, which restores the state.
void begin_engine_state();
void end_engine_state();

/// The running coroutine's state between its calls, such as its last error and its output buffers: saved from
/// take() to put_back().
class EngineAside {
  public:
    void take();
    void put_back();

  private:
    bool has_error_handlers_ = false;
    bool has_fields_ = false;
    bool has_output_ = false;
    bool has_libxml_ = false;
    bool has_session_ = false;
    LibxmlAside libxml_;
    SessionVariable session_;
    ErrorHandlers error_handlers_;
    char fields_[Results::bytes()];
    zend_output_globals output_;
};

/// Called in a coroutine: what PHP code sets for later coroutines there - error handlers, libxml's errors,
/// $_SESSION - is the outside's as well.
void keep_engine_state();

/// Call it after a coroutine's job: the next one in its fiber begins with an empty state.
void forget_engine_state();
inline void drop_engine_state() {
    if (UNEXPECTED(!Results::at_rest() || !LibxmlAside::at_rest() || !SessionVariable::at_rest()))
        forget_engine_state();
}

}  // namespace sluice::php
