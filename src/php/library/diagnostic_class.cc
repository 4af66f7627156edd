// Sluice\Internal\Diagnostic.

#include "php/zend/php_api.h"

ZEND_METHOD(Sluice_Internal_Diagnostic, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Internal_Diagnostic, raise) {
    zend_long level, line;
    zend_string *message, *file;
    ZEND_PARSE_PARAMETERS_START(4, 4)
    Z_PARAM_LONG(level)
    Z_PARAM_STR(message)
    Z_PARAM_STR(file)
    Z_PARAM_LONG(line)
    ZEND_PARSE_PARAMETERS_END();
    if (level != E_WARNING && level != E_NOTICE && level != E_DEPRECATED) {
        zend_argument_value_error(1, "must be E_WARNING, E_NOTICE or E_DEPRECATED");
        RETURN_THROWS();
    }
    zend_error_at(static_cast<int>(level), file, static_cast<uint32_t>(line), "%s", ZSTR_VAL(message));
}
