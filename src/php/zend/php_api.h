#pragma once

// PHP's own headers, in the one order that works. Only src/php may include this.
//
// Anything that may call into PHP may longjmp past its caller (a fatal error, memory that runs out): no C++
// object with a destructor of its own may stand on the stack across such a call, and what must outlive it
// belongs to a PHP object.
// clang-format off
#include <php.h>
#include <SAPI.h>
#include <Zend/zend_attributes.h>
#include <Zend/zend_enum.h>
#include <Zend/zend_exceptions.h>
#include <Zend/zend_interfaces.h>
#include <Zend/zend_smart_str.h>
// clang-format on

#include <string_view>

namespace sluice::php {

inline std::string_view view(const zend_string* text) {
    return {ZSTR_VAL(text), ZSTR_LEN(text)};
}

inline zend_string* new_string(std::string_view text) {
    return zend_string_init_fast(text.data(), text.size());
}

}  // namespace sluice::php

#define RETURN_VIEW(text)                              \
    do {                                               \
        RETURN_STR(::sluice::php::new_string((text))); \
    } while (0)
