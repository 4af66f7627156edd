#pragma once

#include <initializer_list>

#include "php/zend/php_api.h"

namespace sluice::php {

/// By opcode: the handlers that were there before, of another `look` or another extension.
template <void (*look)(zend_execute_data*)>
inline user_opcode_handler_t handlers_before[256] = {};

template <void (*look)(zend_execute_data*)>
int look_and_go_on(zend_execute_data* execute_data) {
    look(execute_data);
    const user_opcode_handler_t before = handlers_before<look>[EX(opline)->opcode];
    return before ? before(execute_data) : ZEND_USER_OPCODE_DISPATCH;
}

/// Has code that is compiled from now on call `look` before each of these opcodes. The JIT does not know of
/// it: when it finds such handlers at the start of PHP, it warns and stays off. Call it once for each `look`,
/// and before workers and services are forked: through opcache they run each other's compiled code, and PHP
/// calls a handler that is missing in a process all the same.
template <void (*look)(zend_execute_data*)>
void look_before(std::initializer_list<uint8_t> opcodes) {
    for (const uint8_t opcode : opcodes) {
        handlers_before<look>[opcode] = zend_get_user_opcode_handler(opcode);
        zend_set_user_opcode_handler(opcode, look_and_go_on<look>);
    }
}

}  // namespace sluice::php
