#pragma once

#include "php/coroutine/set_aside.h"
#include "php/zend/php_api.h"
#include "php/zend/php_versions.h"
// clang-format off
#include <ext/json/php_json.h>
#include <ext/pcre/php_pcre.h>
#include <ext/standard/basic_functions.h>
#include <ext/standard/file.h>
// clang-format on

namespace sluice::php {

// The fields of PHP's globals that are saved and restored for coroutines; docs/isolation.md has the reasons.

/// State of PHP's own calls while they call back: saved for each Fiber, also for the application's
/// own.
struct CallFields {
    template <typename Visit>
    [[gnu::always_inline]] static constexpr void each(Visit&& visit) {
        // usort(), array_udiff() and other sorting functions
        visit(BG(user_compare_fci));
        visit(BG(user_compare_fci_cache), Rest::kWithTheOneBefore);
        // serialize() and unserialize(), which share their table of objects with nested calls
        visit(BG(serialize_lock));
        visit(BG(serialize));
        visit(BG(unserialize));
        // json_encode() within jsonSerialize()
        visit(JSON_G(encoder_depth));
        // Constructors that have warnings thrown
        visit(EG(error_handling));
        visit(EG(exception_class), Rest::kWithTheOneBefore);
        // Class loading while an exception propagates
        visit(EG(prev_exception));
        // Linking of classes: recorded errors go to error handlers after the recording has ended
        visit(EG(record_errors));
        visit(EG(errors));
        visit(EG(num_errors), Rest::kWithTheOneBefore);
        // Constant expressions, for the place of an exception in them
        visit(EG(filename_override));
        visit(EG(lineno_override), Rest::kOnes);
        // Stream wrappers in PHP code
        visit(FG(user_stream_current_filename));
        visit(PG(in_user_include));
        // memory_limit, until PHP is back from the call that has exceeded it
        visit_delayed_shortage(executor_globals, visit);
        // pclose()
        visit(FG(pclose_wait));
    }
};
using Calls = SetAside<CallFields>;

/// Results that the script may ask for later: saved for each coroutine, shared by all of its Fibers.
struct ResultFields {
    template <typename Visit>
    [[gnu::always_inline]] static constexpr void each(Visit&& visit) {
        // error_get_last()
        visit(PG(last_error_message));
        visit(PG(last_error_type), Rest::kWithTheOneBefore);
        visit(PG(last_error_file), Rest::kWithTheOneBefore);
        visit(PG(last_error_lineno), Rest::kWithTheOneBefore);
        // strtok()
        visit(BG(strtok_string));
        visit(BG(strtok_last), Rest::kWithTheOneBefore);
        visit(BG(strtok_len), Rest::kWithTheOneBefore);
        visit(JSON_G(error_code));
        visit(PCRE_G(error_code));
        // Errors of stream wrappers, until they are reported
        visit(FG(wrapper_errors));
        visit_last_http_headers(visit);
    }
};
using Results = SetAside<ResultFields>;

}  // namespace sluice::php
