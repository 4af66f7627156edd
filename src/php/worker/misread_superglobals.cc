#include "php/worker/misread_superglobals.h"

#include <SAPI.h>
#include <php_ini.h>
#include <string>
#include <unordered_set>

#include "core/log.h"
#include "php/coroutine/isolation.h"
#include "php/worker/handler_calls.h"
#include "php/zend/opcode_handlers.h"
#include "php/zend/php_versions.h"
#include "php/zend/said_once.h"

namespace sluice::php {

namespace {

constexpr int kMadeOfOthers = -1;

struct Superglobal {
    std::string_view name;
    const char* instead;
    int tracked;  ///< where PHP keeps what it has made of a request
};

constexpr Superglobal kEmpty[] = {
    {"_GET", "$request->query()", TRACK_VARS_GET},
    {"_POST", "$request->form()", TRACK_VARS_POST},
    {"_FILES", "$request->files()", TRACK_VARS_FILES},
    {"_COOKIE", "$request->cookie()", TRACK_VARS_COOKIE},
    {"_REQUEST", "$request->query() or form()", kMadeOfOthers},
};

bool is_watching = false;
/// What $_REQUEST was at run(); held, so that no other array has its address.
zval request_at_run = {};

/// nullptr: the opcode is about another variable.
const Superglobal* named_by(const zend_op& opline) {
    if (opline.op1_type != IS_CONST || !(opline.extended_value & ZEND_FETCH_GLOBAL)) return nullptr;
    const zval* const name = RT_CONSTANT(&opline, opline.op1);
    if (Z_TYPE_P(name) != IS_STRING) return nullptr;
    for (const Superglobal& superglobal : kEmpty)
        if (superglobal.name == view(Z_STR_P(name))) return &superglobal;
    return nullptr;
}

// -- Watching

/// extract($_GET) and `foreach ($_GET as &$value)` fetch for writing, and read. What a function does with a
/// reference nobody knows: parse_str($text, $_GET) writes.
bool is_read_by_reference(const zend_execute_data* execute_data) {
    const zend_op* const next = EX(opline) + 1;
    if (next->opcode == ZEND_FE_RESET_RW) return true;
    const bool is_argument = next->opcode == ZEND_SEND_REF || next->opcode == ZEND_SEND_FUNC_ARG;
    return is_argument && next->op2_type != IS_CONST && ARG_MAY_BE_SENT_BY_REF(EX(call)->func, next->op2.num);
}

bool is_read(const zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    switch (opline->opcode) {
        case ZEND_ISSET_ISEMPTY_VAR: return opline->extended_value & ZEND_ISEMPTY;
        case ZEND_FETCH_W: return is_read_by_reference(execute_data);
        case ZEND_FETCH_FUNC_ARG:
            return !(ZEND_CALL_INFO(EX(call)) & ZEND_CALL_SEND_ARG_BY_REF) ||
                   is_read_by_reference(execute_data);
        default: return true;
    }
}

zval* variable_of(const Superglobal& superglobal) {
    zval* const value =
        zend_hash_str_find_deref(&EG(symbol_table), superglobal.name.data(), superglobal.name.size());
    return value && Z_TYPE_P(value) == IS_ARRAY ? value : nullptr;
}

/// Whether it is the empty array that PHP has made. One that the application has set is its own, even when it
/// is empty.
bool is_php_own(const Superglobal& superglobal) {
    const zval* const value = variable_of(superglobal);
    if (!value || zend_hash_num_elements(Z_ARRVAL_P(value)) > 0) return false;
    const zval& own =
        superglobal.tracked != kMadeOfOthers ? PG(http_globals)[superglobal.tracked] : request_at_run;
    return Z_TYPE(own) == IS_ARRAY && Z_ARR_P(value) == Z_ARR(own);
}

/// Also in coroutines that a handler has spawned.
bool is_for_client() {
    return !request_globals() && current_client() != 0;
}

void tell_if_misread(zend_execute_data* execute_data) {
    const Superglobal* const superglobal = named_by(*EX(opline));
    if (!superglobal || !is_read(execute_data) || !is_php_own(*superglobal) || !is_for_client()) return;
    if (!is_first_here(superglobal->name.data())) return;
    SLUICE_WARNING("the code at %s:%u reads $%s, which is empty in a handler: use %s, or the option classic",
                   zend_get_executed_filename(), zend_get_executed_lineno(), superglobal->name.data(),
                   superglobal->instead);
}

/// opcache has not read its own settings yet when this is asked.
const char* setting(std::string_view name, const char* by_default) {
    const zval* const value = cfg_get_entry(name.data(), name.size());
    return value && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : by_default;
}

bool is_on(std::string_view name, const char* by_default) {
    zend_string* const value = new_string(setting(name, by_default));
    const bool on = zend_ini_parse_bool(value);
    zend_string_release(value);
    return on;
}

/// Also where it is off: the script may switch it on, unless it is disabled.
bool may_have_jit() {
    return is_on("opcache.enable", "1") && is_on("opcache.enable_cli", "0") &&
           ZEND_STRTOL(setting("opcache.jit_buffer_size", kJitBufferByDefault), nullptr, 0) != 0 &&
           strcasecmp(setting("opcache.jit", kJitByDefault), "disable") != 0;
}

// -- Searching

const Superglobal* read_by(const zend_op& opline) {
    switch (opline.opcode) {
        case ZEND_FETCH_R:
        case ZEND_FETCH_IS:
        case ZEND_FETCH_FUNC_ARG:
        case ZEND_FETCH_RW: return named_by(opline);
        case ZEND_ISSET_ISEMPTY_VAR: return opline.extended_value & ZEND_ISEMPTY ? named_by(opline) : nullptr;
        default: return nullptr;
    }
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
            ZSTR_VAL(own.filename), is_own ? line : own.line_start, found.name.data(), where.c_str(),
            found.instead);
    }

    const zend_function& handler_;
    std::unordered_set<const zend_op*> seen_;
};

}  // namespace

void watch_superglobals() {
    is_watching = strcmp(sapi_module.name, "cli") == 0 && !may_have_jit();
    if (is_watching) {
        look_before<tell_if_misread>({ZEND_FETCH_R, ZEND_FETCH_IS, ZEND_FETCH_W, ZEND_FETCH_RW,
                                      ZEND_FETCH_FUNC_ARG, ZEND_ISSET_ISEMPTY_VAR});
    }
}

void look_for_superglobals(const ServerSetup& setup) {
    if (is_watching) {
        constexpr const Superglobal& kRequest = kEmpty[std::size(kEmpty) - 1];
        // PHP makes it when code that names it is compiled.
        zend_is_auto_global_str(kRequest.name.data(), kRequest.name.size());
        const zval* const request = variable_of(kRequest);
        forget_superglobals();
        if (request) ZVAL_COPY(&request_at_run, request);
        return;
    }
    for (size_t i = 0; i < setup.handlers.size(); ++i) {
        const EndpointSpec& spec = setup.config.endpoints[i];
        const zend_function* const function = setup.handlers[i].message.function;
        if (spec.kind != EndpointKind::kHttp || spec.classic) continue;
        if (function && function->type == ZEND_USER_FUNCTION)
            Search(*function).look_through(function->op_array);
    }
}

void forget_superglobals() {
    zval_ptr_dtor(&request_at_run);
    ZVAL_UNDEF(&request_at_run);
}

}  // namespace sluice::php
