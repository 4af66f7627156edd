#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// $_SESSION where there is no session: what a coroutine or a handler writes there is its own, and forgotten
// at its end. It begins with what was set outside. Requests of scripts have global variables of their own.

/// Notes the outside's value, from which coroutines begin.
void begin_session_variable();
void end_session_variable();

/// The running coroutine's value, saved from take() to put_back().
class SessionVariable {
  public:
    /// Whether it is the outside's.
    static bool at_rest();

    void take();
    void put_back();

  private:
    zval value_;
};

/// Called in a coroutine: its value becomes that of the code outside as well.
void keep_session_variable();
/// After a handler or a coroutine's job: restores the outside's value, and logs once for each `handler` that
/// something is lost; nullptr: a coroutine of the application's own.
void drop_session_variable(const zend_function* handler);

}  // namespace sluice::php
