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
    static bool at_rest() {
        // Asked at the end of each handler. While there is none outside, nobody adds one without adding to
        // the table.
        return EXPECTED(EG(symbol_table).nNumOfElements == elements_ && EG(symbol_table).nNumUsed == used_) ||
               looks_outside();
    }
    /// The outside's value has changed.
    static void look_anew() { elements_ = UINT32_MAX; }

    void take();
    void put_back();

  private:
    static bool looks_outside();

    /// The table's figures when it was last seen without the variable, which the outside has not either.
    static inline uint32_t elements_ = UINT32_MAX;
    static inline uint32_t used_ = 0;

    zval value_;
};

/// Called in a coroutine: its value becomes that of the code outside as well.
void keep_session_variable();
/// After a handler or a coroutine's job: restores the outside's value, and logs once for each `handler` that
/// something is lost; nullptr: a coroutine of the application's own.
void forget_session_variable(const zend_function* handler);
inline void drop_session_variable(const zend_function* handler) {
    if (UNEXPECTED(!SessionVariable::at_rest())) forget_session_variable(handler);
}

}  // namespace sluice::php
