#include "php/http/classic_stream_context.h"

// clang-format off
#include <ext/standard/file.h>
// clang-format on

namespace sluice::php {

namespace {

/// While a request's is installed.
php_stream_context* outside;

php_stream_context* copy_of(const php_stream_context* context) {
    if (!context) return nullptr;
    php_stream_context* const made = php_stream_context_alloc();
    zval_ptr_dtor(&made->options);
    ZVAL_ARR(&made->options, zend_array_dup(Z_ARRVAL(context->options)));
    return made;
}

}  // namespace

void ClassicStreamContext::note() {
    if (is_own_) return;
    is_own_ = true;
    outside = FG(default_context);
    FG(default_context) = copy_of(outside);
}

void ClassicStreamContext::set_aside() {
    if (EXPECTED(!is_own_)) return;
    kept_ = FG(default_context);
    FG(default_context) = outside;
}

void ClassicStreamContext::put_in_place() {
    if (EXPECTED(!is_own_)) return;
    outside = FG(default_context);
    FG(default_context) = kept_;
}

void ClassicStreamContext::release() {
    if (is_own_ && kept_) zend_list_delete(kept_->res);
    *this = {};
}

}  // namespace sluice::php
