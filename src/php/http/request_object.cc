#include "php/http/request_object.h"

namespace sluice::php {

bool parse_name_and_default(zend_execute_data* execute_data, zend_string*& name, zend_string*& fallback) {
    fallback = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(name)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR_OR_NULL(fallback)
    ZEND_PARSE_PARAMETERS_END_EX(return false);
    return true;
}

}  // namespace sluice::php
