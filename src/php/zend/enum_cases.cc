#include "php/zend/enum_cases.h"

#include <cstring>

namespace sluice::php {

bool is_case(zend_object* case_object, const char* name) {
    return strcmp(Z_STRVAL_P(zend_enum_fetch_case_name(case_object)), name) == 0;
}

}  // namespace sluice::php
