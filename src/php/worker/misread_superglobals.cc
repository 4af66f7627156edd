#include "php/worker/misread_superglobals.h"

#include "core/log.h"
#include "php/zend/said_once.h"

namespace sluice::php {

namespace {

struct Superglobal {
    const char* name;
    const char* instead;
};

constexpr Superglobal kEmpty[] = {
    {"_GET", "$request->query()"},
    {"_POST", "$request->form()"},
    {"_FILES", "$request->files()"},
    {"_COOKIE", "$request->cookie()"},
    {"_REQUEST", "$request->query() or form()"},
};

const Superglobal* read_by(const zend_op& opline) {
    switch (opline.opcode) {
        case ZEND_FETCH_R:
        case ZEND_FETCH_IS:
        case ZEND_FETCH_FUNC_ARG:
        case ZEND_FETCH_RW: break;
        default: return nullptr;
    }
    if (opline.op1_type != IS_CONST || !(opline.extended_value & ZEND_FETCH_GLOBAL)) return nullptr;
    const zval* const name = RT_CONSTANT(&opline, opline.op1);
    for (const Superglobal& superglobal : kEmpty) {
        if (Z_TYPE_P(name) == IS_STRING &&
            zend_string_equals_cstr(Z_STR_P(name), superglobal.name, strlen(superglobal.name)))
            return &superglobal;
    }
    return nullptr;
}

/// Of this code and the closures in it; true when it has found one. `handler`: which it belongs to.
bool tell_of_first(const zend_op_array& code, const zend_function& handler) {
    for (uint32_t i = 0; i < code.last; ++i) {
        const Superglobal* const found = read_by(code.opcodes[i]);
        if (!found) continue;
        if (is_first_of("a superglobal", &handler))
            SLUICE_WARNING(
                "the handler at %s:%u reads $%s, which is empty in a handler: use %s, or the option classic",
                ZSTR_VAL(code.filename), code.opcodes[i].lineno, found->name, found->instead);
        return true;
    }
    for (uint32_t i = 0; i < code.num_dynamic_func_defs; ++i)
        if (tell_of_first(*code.dynamic_func_defs[i], handler)) return true;
    return false;
}

}  // namespace

void tell_of_misread_superglobals(const ServerSetup& setup) {
    for (size_t i = 0; i < setup.handlers.size(); ++i) {
        const EndpointSpec& spec = setup.config.endpoints[i];
        const zend_function* const function = setup.handlers[i].message.function;
        if (spec.kind != EndpointKind::kHttp || spec.classic) continue;
        if (function && function->type == ZEND_USER_FUNCTION) tell_of_first(function->op_array, *function);
    }
}

}  // namespace sluice::php
