#include "php/zend/json.h"

#include <ext/json/php_json.h>

namespace sluice::php {

namespace {

void call_function(const char* name, size_t name_size, zval* result, uint32_t count, zval* arguments) {
    ZVAL_UNDEF(result);
    // Looked up each time: the function may be disabled (disable_functions).
    auto* function = static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), name, name_size));
    if (!function) {
        zend_throw_error(nullptr, "%s() is disabled", name);
        return;
    }
    zend_call_known_function(function, nullptr, nullptr, result, count, arguments, nullptr);
}

}  // namespace

void return_json_decoded(zval* return_value, zend_string* text) {
    zval arguments[4];
    ZVAL_STR(&arguments[0], text);
    ZVAL_TRUE(&arguments[1]);
    ZVAL_LONG(&arguments[2], PHP_JSON_PARSER_DEFAULT_DEPTH);
    ZVAL_LONG(&arguments[3], PHP_JSON_THROW_ON_ERROR);
    zval result;
    call_function(ZEND_STRL("json_decode"), &result, 4, arguments);
    if (Z_TYPE(result) != IS_UNDEF) ZVAL_COPY_VALUE(return_value, &result);
}

zend_string* json_encoded(zval* value, zend_long flags) {
    zval arguments[2];
    ZVAL_COPY_VALUE(&arguments[0], value);
    ZVAL_LONG(&arguments[1], flags | PHP_JSON_THROW_ON_ERROR);
    zval result;
    call_function(ZEND_STRL("json_encode"), &result, 2, arguments);
    if (EG(exception) || Z_TYPE(result) != IS_STRING) {
        zval_ptr_dtor(&result);
        return nullptr;
    }
    return Z_STR(result);
}

}  // namespace sluice::php
