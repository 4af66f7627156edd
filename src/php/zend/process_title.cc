#include "php/zend/process_title.h"

#include "php/zend/php_api.h"

namespace sluice::php {

void set_process_title(const char* title) {
    auto* function = static_cast<zend_function*>(
        zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("cli_set_process_title")));
    if (!function) return;
    // It warns where the system has no room for a title: suppress output and the application's error handler.
    zval user_handler;
    ZVAL_COPY_VALUE(&user_handler, &EG(user_error_handler));
    ZVAL_UNDEF(&EG(user_error_handler));
    const int reporting = EG(error_reporting);
    EG(error_reporting) = 0;
    zval argument, result;
    ZVAL_STRING(&argument, title);
    ZVAL_UNDEF(&result);
    zend_call_known_function(function, nullptr, nullptr, &result, 1, &argument, nullptr);
    zval_ptr_dtor(&argument);
    zval_ptr_dtor(&result);
    EG(error_reporting) = reporting;
    ZVAL_COPY_VALUE(&EG(user_error_handler), &user_handler);
}

}  // namespace sluice::php
