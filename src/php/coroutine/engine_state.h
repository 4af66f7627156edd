#pragma once

#include "php/coroutine/engine_fields.h"
#include "php/coroutine/error_handlers.h"
#include "php/zend/php_api.h"

namespace sluice::php {

// PHP keeps one of many things for the whole process, as it does one thing at a time. What a coroutine has
// there is taken away while it waits; docs/isolation.md has the table.

/// Before the first coroutine, and after the last one. What was there before comes back.
void begin_engine_state();
void end_engine_state();

/// What the running coroutine leaves there between its calls, such as its last error and its output buffers:
/// away from take() to put_back().
class EngineAside {
  public:
    void take();
    void put_back();

  private:
    bool has_error_handlers_ = false;
    bool has_fields_ = false;
    bool has_output_ = false;
    ErrorHandlers error_handlers_;
    char fields_[Results::bytes()];
    zend_output_globals output_;
};

/// Ends the output buffers that a coroutine's job leaves within `outer`, which was the innermost before it.
void end_output_buffers(const php_output_handler* outer);

/// After a coroutine's job: the next one in its fiber begins with nothing.
void drop_engine_state();

}  // namespace sluice::php
