#include "php/worker/misread_superglobals.h"

#include <string>
#include <unordered_set>

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

const zend_string* string_at(const zval* literal) {
    return Z_TYPE_P(literal) == IS_STRING ? Z_STR_P(literal) : nullptr;
}

const zend_function* find_function(const HashTable* table, const zval* name) {
    const zend_string* const text = string_at(name);
    return text ? static_cast<zend_function*>(zend_hash_find_ptr(table, const_cast<zend_string*>(text)))
                : nullptr;
}

/// The class of a static call; nullptr: it is not loaded, or the code does not say which.
const zend_class_entry* class_of_call(const zend_op_array& code, const zend_op& opline) {
    if (opline.op1_type == IS_CONST) {
        const zend_string* const name = string_at(RT_CONSTANT(&opline, opline.op1) + 1);
        return name ? static_cast<zend_class_entry*>(
                          zend_hash_find_ptr(EG(class_table), const_cast<zend_string*>(name)))
                    : nullptr;
    }
    if (opline.op1_type != IS_UNUSED || !code.scope) return nullptr;
    const bool is_parent = (opline.op1.num & ZEND_FETCH_CLASS_MASK) == ZEND_FETCH_CLASS_PARENT;
    if (!is_parent) return code.scope;
    return code.scope->ce_flags & ZEND_ACC_LINKED ? code.scope->parent : nullptr;
}

/// The function that an opcode begins to call, as far as the code names it.
const zend_function* called_by(const zend_op_array& code, const zend_op& opline) {
    if (opline.op2_type != IS_CONST) return nullptr;
    const zval* const name = RT_CONSTANT(&opline, opline.op2);
    switch (opline.opcode) {
        case ZEND_INIT_FCALL: return find_function(EG(function_table), name);
        case ZEND_INIT_FCALL_BY_NAME: return find_function(EG(function_table), name + 1);
        case ZEND_INIT_NS_FCALL_BY_NAME: {
            const zend_function* const own = find_function(EG(function_table), name + 1);
            return own ? own : find_function(EG(function_table), name + 2);
        }
        case ZEND_INIT_STATIC_METHOD_CALL: {
            const zend_class_entry* const of = class_of_call(code, opline);
            return of ? find_function(&of->function_table, name + 1) : nullptr;
        }
        case ZEND_INIT_METHOD_CALL: {
            const bool is_of_this = opline.op1_type == IS_UNUSED && code.scope;
            return is_of_this ? find_function(&code.scope->function_table, name + 1) : nullptr;
        }
        default: return nullptr;
    }
}

/// Looks through the code of one handler, of the closures in it, and of what they call by name.
class Search {
  public:
    explicit Search(const zend_function& handler) : handler_(handler) {}

    /// Tells of the first that it finds, and returns true then.
    bool look_through(const zend_op_array& code) {
        if (seen_.size() == kMostFunctions || !seen_.insert(code.opcodes).second) return false;
        for (uint32_t i = 0; i < code.last; ++i) {
            if (const Superglobal* const found = read_by(code.opcodes[i])) {
                tell(*found, code, code.opcodes[i].lineno);
                return true;
            }
        }
        for (uint32_t i = 0; i < code.num_dynamic_func_defs; ++i)
            if (look_through(*code.dynamic_func_defs[i])) return true;
        for (uint32_t i = 0; i < code.last; ++i) {
            const zend_function* const called = called_by(code, code.opcodes[i]);
            if (called && called->type == ZEND_USER_FUNCTION && look_through(called->op_array)) return true;
        }
        return false;
    }

  private:
    /// Bounds the time that it takes.
    static constexpr size_t kMostFunctions = 1000;

    void tell(const Superglobal& found, const zend_op_array& code, uint32_t line) const {
        if (!is_first_of("a superglobal", &handler_)) return;
        const zend_op_array& own = handler_.op_array;
        const bool is_own = code.filename == own.filename && line >= own.line_start && line <= own.line_end;
        std::string where;
        if (!is_own) where = std::string(" at ") + ZSTR_VAL(code.filename) + ":" + std::to_string(line);
        SLUICE_WARNING(
            "the handler at %s:%u reads $%s%s, which is empty in a handler: use %s, or the option classic",
            ZSTR_VAL(own.filename), is_own ? line : own.line_start, found.name, where.c_str(), found.instead);
    }

    const zend_function& handler_;
    std::unordered_set<const zend_op*> seen_;
};

}  // namespace

void tell_of_misread_superglobals(const ServerSetup& setup) {
    for (size_t i = 0; i < setup.handlers.size(); ++i) {
        const EndpointSpec& spec = setup.config.endpoints[i];
        const zend_function* const function = setup.handlers[i].message.function;
        if (spec.kind != EndpointKind::kHttp || spec.classic) continue;
        if (function && function->type == ZEND_USER_FUNCTION)
            Search(*function).look_through(function->op_array);
    }
}

}  // namespace sluice::php
