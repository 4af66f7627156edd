// Response::capture(): for code that echoes. Each coroutine has output buffers of its own
// (docs/isolation.md), so what is called may wait.

#include "php/coroutine/output_buffers.h"
#include "php/http/response_class.h"
#include "php/http/response_sending.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

/// Calls with a new output buffer, and returns what has come into it; nullptr when it has thrown.
zend_string* output_of(zend_fcall_info& info, zend_fcall_info_cache& cache) {
    const php_output_handler* const outer = OG(active);
    if (php_output_start_default() != SUCCESS) {
        throw_server_exception("An output buffer could not be started here");
        return nullptr;
    }
    const php_output_handler* const own = OG(active);
    zval result;
    ZVAL_UNDEF(&result);
    info.retval = &result;
    zend_call_function(&info, &cache);
    zval_ptr_dtor(&result);
    // Those that were opened within and left open belong to it.
    const bool is_open = is_output_buffer(own);
    if (is_open) end_output_buffers(own);
    zval contents;
    ZVAL_UNDEF(&contents);
    if (!EG(exception)) {
        if (is_open) {
            php_output_get_contents(&contents);
        } else {
            throw_server_exception(
                "The function has closed the output buffer of capture(), which it had not opened");
        }
    }
    if (!outer || is_output_buffer(outer)) drop_output_buffers(outer);
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
