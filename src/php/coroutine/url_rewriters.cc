#include "php/coroutine/url_rewriters.h"

namespace sluice::php {

namespace {

bool is_the_scripts = false;

void release(url_adapt_state_ex_t& rewriter) {
    if (!rewriter.active) return;
    for (smart_str* text : {&rewriter.tag, &rewriter.arg, &rewriter.val, &rewriter.buf, &rewriter.result,
                            &rewriter.form_app, &rewriter.url_app, &rewriter.attr_val})
        smart_str_free(text);
    rewriter.active = rewriter.tag_type = rewriter.attr_type = 0;
}

}  // namespace

void begin_url_rewriters() {
    is_the_scripts = is_rewriting_urls();
}

bool has_url_rewriter() {
    return is_rewriting_urls() && !is_the_scripts && php_output_handler_started(ZEND_STRL("URL-Rewriter"));
}

void forget_url_rewriters() {
    if (!is_rewriting_urls() || is_the_scripts || php_output_handler_started(ZEND_STRL("URL-Rewriter")))
        return;
    release(BG(url_adapt_output_ex));
    release(BG(url_adapt_session_ex));
}

}  // namespace sluice::php
