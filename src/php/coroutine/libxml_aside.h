#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// libxml_use_internal_errors() and the errors that it collects: a coroutine's own. It begins with what is set
// outside of all coroutines, and without errors.

/// Call them before the first coroutine, and after the last one.
void begin_libxml_state();
void end_libxml_state();

/// The running coroutine's setting and errors, saved from take() to put_back().
class LibxmlAside {
  public:
    /// Lists of errors, PHP's own and, while there are coroutines, that of the code outside; nullptr: errors
    /// are warnings.
    struct Errors {
        zend_llist** now;
        zend_llist* outside;
    };
    static Errors errors;

    /// Whether there is nothing to save: the setting is the outside's, and there are no errors. Inline, as it
    /// is asked at the end of each handler.
    static bool at_rest() { return EXPECTED(!*errors.now && !errors.outside) || looks_at_rest(); }

    void take();
    void put_back() const;

  private:
    static bool looks_at_rest();

    void* handler_;
    zend_llist* errors_;
};

/// Called in a coroutine: its setting becomes that of the code outside as well.
void keep_libxml_state();
/// Call it after a coroutine's job, when its state is not at rest.
void drop_libxml_state();

}  // namespace sluice::php
