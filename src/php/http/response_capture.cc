// Response::capture(): for code that echoes. Each coroutine has output buffers of its own
// (docs/isolation.md), so what is called may wait.

#include "php/http/response_class.h"
#include "php/http/response_sending.h"
#include "php/zend/errors.h"
// After PHP's own, which it relies on.
#include <main/php_output.h>

namespace sluice::php {

namespace {

/// Calls with a new output buffer, and returns what has come into it; nullptr when it has thrown.
zend_string* output_of(zend_fcall_info& info, zend_fcall_info_cache& cache) {
    const int outside = php_output_get_level();
    if (php_output_start_default() != SUCCESS) {
        throw_server_exception("An output buffer could not be started here");
        return nullptr;
    }
    zval result;
    ZVAL_UNDEF(&result);
    info.retval = &result;
    zend_call_function(&info, &cache);
    zval_ptr_dtor(&result);
    // Those that were opened within and left open belong to it.
    while (!EG(exception) && php_output_get_level() > outside + 1)
        php_output_end();
    zval contents;
    ZVAL_UNDEF(&contents);
    if (!EG(exception)) {
        if (php_output_get_level() == outside + 1) {
            php_output_get_contents(&contents);
        } else {
            throw_server_exception(
                "The function has closed the output buffer of capture(), which it had not opened");
        }
    }
    while (php_output_get_level() > outside)
        php_output_discard();
    if (!EG(exception) && Z_TYPE(contents) == IS_STRING) return Z_STR(contents);
    zval_ptr_dtor(&contents);
    return EG(exception) ? nullptr : zend_empty_string;
}

}  // namespace

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Response, capture) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_FUNC(info, cache)
    ZEND_PARSE_PARAMETERS_END();
    if (!unfinished(Z_OBJ_P(ZEND_THIS))) {
        zend_release_fcall_info_cache(&cache);
        RETURN_THROWS();
    }
    zend_string* body = output_of(info, cache);
    if (!body) RETURN_THROWS();
    // Asked again: the function may have ended it.
    if (ResponseObject* self = unfinished(Z_OBJ_P(ZEND_THIS)))
        finish(return_value, self, view(body), "text/html; charset=utf-8");
    zend_string_release(body);
}
