#pragma once

#include "php/zend/php_api.h"
// clang-format off
#include <ext/standard/basic_functions.h>
// clang-format on

namespace sluice::php {

// What rewrites the URLs of a page: output_add_rewrite_var(), session.use_trans_sid. PHP has one for the
// process, an output buffer of the page's refers to it, and frees it only with the request. So nobody waits
// from its begin to the end of that buffer, and then it is freed here.

/// Call it with the first coroutine: a rewriter of the script's own stays as it is, for all.
void begin_url_rewriters();

inline bool is_rewriting_urls() {
    return BG(url_adapt_output_ex).active || BG(url_adapt_session_ex).active;
}
/// Whether this coroutine has an output buffer in which URLs are rewritten.
bool has_url_rewriter();
/// Ends rewriters whose output buffer has ended.
void forget_url_rewriters();

}  // namespace sluice::php
