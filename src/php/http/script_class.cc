#include "php/http/script_class.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <unistd.h>

#include "php/http/classic_request.h"
#include "php/http/request_class.h"
#include "php/http/request_object.h"
#include "php/http/response_class.h"
#include "php/http/script_request.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_class_entry* script_class = nullptr;
zend_object_handlers handlers;

struct ScriptObject {
    zend_string* file;
    zend_op_array* code;  ///< set once compiled; may be executed many times at once
    zend_object object;
};

zend_object* create_script(zend_class_entry* class_entry) {
    return &new_embedded<ScriptObject>(class_entry, handlers)->object;
}

void free_script(zend_object* object) {
    ScriptObject* self = embedded<ScriptObject>(object);
    if (self->file) zend_string_release(self->file);
    if (self->code) {
        destroy_op_array(self->code);
        efree_size(self->code, sizeof(zend_op_array));
    }
    zend_object_std_dtor(object);
}

/// False when it has thrown.
bool compile(ScriptObject* self) {
    if (self->code) return true;
    zend_file_handle file;
    zend_stream_init_filename_ex(&file, self->file);
    self->code = zend_compile_file(&file, ZEND_REQUIRE);
    if (self->code && file.opened_path) zend_hash_add_empty_element(&EG(included_files), file.opened_path);
    zend_destroy_file_handle(&file);
    if (!self->code && !EG(exception))
        throw_server_exception("The script \"%s\" cannot be read", ZSTR_VAL(self->file));
    return self->code;
}

/// Executes it like PHP's main script: its variables are the global ones, and it has no caller. Otherwise PHP
/// would attach the global variables to the server's script when this one ends.
void execute_in_globals(zend_op_array* code) {
    zval returned;
    ZVAL_UNDEF(&returned);
    zend_execute_data* const caller = EG(current_execute_data);
    zend_execute_data* const call = zend_vm_stack_push_call_frame(
        ZEND_CALL_TOP_CODE | ZEND_CALL_HAS_SYMBOL_TABLE, reinterpret_cast<zend_function*>(code), 0, nullptr);
    call->symbol_table = &EG(symbol_table);
    zend_init_code_execute_data(call, code, &returned);
    call->prev_execute_data = nullptr;
    zend_execute_ex(call);
    EG(current_execute_data) = caller;
    zend_vm_stack_free_call_frame(call);
    zval_ptr_dtor(&returned);
}

}  // namespace

bool is_script(const zval* target) {
    return Z_TYPE_P(target) == IS_OBJECT && Z_OBJCE_P(target) == script_class;
}

void init_script_class(zend_class_entry* class_entry) {
    script_class = class_entry;
    class_entry->create_object = create_script;
    init_handlers<ScriptObject>(handlers, free_script);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Script, __construct) {
    zend_string* file;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_PATH_STR(file)
    ZEND_PARSE_PARAMETERS_END();
    ScriptObject* self = embedded<ScriptObject>(ZEND_THIS);
    if (self->file) {
        zend_throw_error(nullptr, "Sluice\\Http\\Script is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    char path[PATH_MAX];
    if (!realpath(ZSTR_VAL(file), path) || access(path, R_OK) != 0) {
        throw_server_exception("The script \"%s\" cannot be read: %s", ZSTR_VAL(file), strerror(errno));
        RETURN_THROWS();
    }
    self->file = zend_string_init(path, strlen(path), false);
}

ZEND_METHOD(Sluice_Http_Script, handle) {
    zend_object *request, *response;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_OBJ_OF_CLASS(request, request_class)
    Z_PARAM_OBJ_OF_CLASS(response, response_class)
    ZEND_PARSE_PARAMETERS_END();
    ScriptObject* self = embedded<ScriptObject>(ZEND_THIS);
    if (!self->file) {
        zend_throw_error(nullptr, "Sluice\\Http\\Script was not constructed");
        RETURN_THROWS();
    }
    RequestObject* const asked = embedded<RequestObject>(request);
    if (asked->script) {
        const SharedHead& head = *asked->head;
        const std::string_view target = head.in(head.head.target);
        choose_script(*asked->script,
                      ScriptPlace::of_file(view(self->file), target.substr(0, target.find('?'))));
        run_in_process(*current_worker(), *asked->script, response);
        return;
    }
    run_classic(request, response, self->file, [self] {
        if (compile(self)) execute_in_globals(self->code);
    });
}
