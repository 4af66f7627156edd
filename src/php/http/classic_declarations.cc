#include "php/http/classic_declarations.h"

#include "php/zend/php_api.h"
// clang-format off
#include <Zend/zend_system_id.h>
// clang-format on

namespace sluice::php {

namespace {

bool (*is_script_running)() = nullptr;
user_opcode_handler_t class_before = nullptr, function_before = nullptr;

bool is_of_file(const zend_string* file, const zend_execute_data* execute_data) {
    return file && zend_string_equals(file, EX(func)->op_array.filename);
}

int go_on(user_opcode_handler_t before, zend_execute_data* execute_data) {
    return before ? before(execute_data) : ZEND_USER_OPCODE_DISPATCH;
}

int skip(zend_execute_data* execute_data) {
    ++EX(opline);
    return ZEND_USER_OPCODE_CONTINUE;
}

int declare_class(zend_execute_data* execute_data) {
    if (!is_script_running()) return go_on(class_before, execute_data);
    const zval* const name = RT_CONSTANT(EX(opline), EX(opline)->op1);
    const auto* const there =
        static_cast<const zend_class_entry*>(zend_hash_find_ptr(EG(class_table), Z_STR_P(name)));
    // Until it is declared, it stands in the table under a name of its place in the file.
    const bool is_declared = there && there->type == ZEND_USER_CLASS &&
                             is_of_file(there->info.user.filename, execute_data) &&
                             !zend_hash_exists(EG(class_table), Z_STR_P(name + 1));
    return is_declared ? skip(execute_data) : go_on(class_before, execute_data);
}

int declare_function(zend_execute_data* execute_data) {
    if (!is_script_running()) return go_on(function_before, execute_data);
    const zval* const name = RT_CONSTANT(EX(opline), EX(opline)->op1);
    const auto* const there =
        static_cast<const zend_function*>(zend_hash_find_ptr(EG(function_table), Z_STR_P(name)));
    const zend_op_array* const own = EX(func)->op_array.dynamic_func_defs[EX(opline)->op2.num];
    const bool is_declared = there && there->type == ZEND_USER_FUNCTION &&
                             is_of_file(there->op_array.filename, execute_data) &&
                             there->op_array.line_start == own->line_start;
    return is_declared ? skip(execute_data) : go_on(function_before, execute_data);
}

}  // namespace

void let_scripts_declare_again(bool (*is_running)()) {
    if (is_script_running) return;
    is_script_running = is_running;
    class_before = zend_get_user_opcode_handler(ZEND_DECLARE_CLASS);
    function_before = zend_get_user_opcode_handler(ZEND_DECLARE_FUNCTION);
    zend_set_user_opcode_handler(ZEND_DECLARE_CLASS, declare_class);
    zend_set_user_opcode_handler(ZEND_DECLARE_FUNCTION, declare_function);
}

void keep_compiled_code_apart() {
    constexpr uint8_t kHandled[] = {ZEND_DECLARE_CLASS, ZEND_DECLARE_FUNCTION};
    zend_add_system_entropy("sluice", "opcode_handlers", kHandled, sizeof kHandled);
}

}  // namespace sluice::php
