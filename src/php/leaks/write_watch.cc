#include "php/leaks/write_watch.h"

#include <Zend/zend_closures.h>
#include <Zend/zend_ini.h>
#include <Zend/zend_vm.h>
#include <cctype>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "php/leaks/written_places.h"
#include "php/zend/backtraces.h"
#include "php/zend/opcode_handlers.h"

namespace sluice::php {

namespace {

enum class Argument : uint8_t {
    kNone,
    kNames,  ///< the first argument ends the subject's name
    kMayName,
};

/// Functions that change what is no value of PHP code, and the leak detector's name of that.
struct Changer {
    const char* function;
    const char* subject;
    Argument argument = Argument::kNone;
};

constexpr Changer kChangers[] = {
    {"date_default_timezone_set", "the time zone"},
    {"setlocale", "the locale"},
    {"chdir", "the folder"},
    {"umask", "the umask"},
    {"mb_internal_encoding", "mb_internal_encoding()"},
    {"mb_substitute_character", "mb_substitute_character()"},
    {"mb_language", "mb_language()"},
    {"mb_regex_encoding", "mb_regex_encoding()"},
    {"mb_http_output", "mb_http_output()"},
    {"libxml_use_internal_errors", "libxml_use_internal_errors()"},
    {"ini_set", "the setting ", Argument::kNames},
    {"ini_alter", "the setting ", Argument::kNames},
    {"ini_restore", "the setting ", Argument::kNames},
    {"set_time_limit", "the setting max_execution_time"},
    {"error_reporting", "the setting error_reporting"},
    {"ignore_user_abort", "the setting ignore_user_abort"},
    {"set_include_path", "the setting include_path"},
    {"session_name", "the setting session.name"},
    {"session_save_path", "the setting session.save_path"},
    {"putenv", "the environment variable ", Argument::kNames},
    {"spl_autoload_register", "the autoloader"},
    {"set_error_handler", "the error handler"},
    {"set_exception_handler", "the exception handler"},
    {"register_shutdown_function", "shutdown functions"},
    {"stream_wrapper_register", "the stream wrapper ", Argument::kNames},
    {"stream_filter_register", "the stream filter ", Argument::kNames},
    {"ob_start", "output buffers"},
    {"sluice\\timer::after", "active timers"},
    {"sluice\\timer::every", "active timers"},
    {"fopen", "descriptor", Argument::kMayName},
    {"opendir", "descriptor", Argument::kMayName},
    {"tmpfile", "descriptor"},
    {"popen", "descriptor"},
    {"proc_open", "descriptor"},
    {"fsockopen", "descriptor"},
    {"pfsockopen", "descriptor"},
    {"stream_socket_client", "descriptor"},
    {"stream_socket_server", "descriptor"},
    {"stream_socket_accept", "descriptor"},
    {"stream_socket_pair", "descriptor"},
    {"socket_create", "descriptor"},
    {"socket_create_listen", "descriptor"},
    {"socket_create_pair", "descriptor"},
    {"socket_accept", "descriptor"},
    {"curl_exec", "descriptor"},
    {"curl_multi_exec", "descriptor"},
    {"mysqli_connect", "descriptor"},
    {"pg_connect", "descriptor"},
    {"splfileobject::__construct", "descriptor", Argument::kMayName},
    {"spltempfileobject::__construct", "descriptor"},
    {"directoryiterator::__construct", "descriptor", Argument::kMayName},
    {"pdo::__construct", "descriptor"},
    {"mysqli::__construct", "descriptor"},
    {"redis::connect", "descriptor"},
    {"redis::pconnect", "descriptor"},
};

std::unordered_map<const zend_function*, const Changer*> changers;
WrittenPlaces places;
bool is_recording = false;

uint64_t thing_of(const void* holder, uint64_t name) {
    constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    return (reinterpret_cast<uintptr_t>(holder) * kGoldenRatio) ^ (name * 3);
}

uint64_t subject_thing(std::string_view subject) {
    return thing_of(&places, std::hash<std::string_view>()(subject));
}

/// Sluice's own PHP code acts for its caller.
void note(const zend_execute_data* frame, uint64_t thing) {
    for (; frame; frame = frame->prev_execute_data) {
        if (!frame->func || !ZEND_USER_CODE(frame->func->type)) continue;
        const std::string_view file = view(frame->func->op_array.filename);
        if (file.starts_with(kLibraryFolder)) continue;
        places.add(thing, file, frame->opline->lineno);
        return;
    }
}

// -- What an opline names

zval* variable(zend_execute_data* execute_data, const znode_op& operand, uint8_t type) {
    switch (type) {
        case IS_CV:
        case IS_VAR:
        case IS_TMP_VAR: {
            zval* const value = EX_VAR(operand.var);
            return Z_TYPE_P(value) == IS_INDIRECT ? Z_INDIRECT_P(value) : value;
        }
        case IS_UNUSED: return &EX(This);
        default: return nullptr;
    }
}

/// nullptr: not a string.
zend_string* name_in(zend_execute_data* execute_data, const znode_op& operand, uint8_t type) {
    const zend_op* const opline = EX(opline);
    zval* value = type == IS_CONST    ? RT_CONSTANT(opline, operand)
                  : type == IS_UNUSED ? nullptr
                                      : variable(execute_data, operand, type);
    if (!value) return nullptr;
    ZVAL_DEREF(value);
    return Z_TYPE_P(value) == IS_STRING ? Z_STR_P(value) : nullptr;
}

zend_object* object_in(zval* value) {
    if (!value) return nullptr;
    ZVAL_DEREF(value);
    return Z_TYPE_P(value) == IS_OBJECT ? Z_OBJ_P(value) : nullptr;
}

const zend_class_entry* class_in(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    if (opline->op2_type == IS_CONST) {
        return static_cast<const zend_class_entry*>(
            zend_hash_find_ptr(EG(class_table), Z_STR_P(RT_CONSTANT(opline, opline->op2) + 1)));
    }
    if (opline->op2_type != IS_UNUSED) return Z_CE_P(EX_VAR(opline->op2.var));
    const zend_class_entry* const scope = EX(func)->common.scope;
    switch (opline->op2.num & ZEND_FETCH_CLASS_MASK) {
        case ZEND_FETCH_CLASS_PARENT: return scope ? scope->parent : nullptr;
        case ZEND_FETCH_CLASS_STATIC:
            return Z_TYPE(EX(This)) == IS_OBJECT ? Z_OBJCE(EX(This)) : Z_CE(EX(This));
        default: return scope;
    }
}

/// Whether the argument that is being made is passed by reference; otherwise it is only read.
bool goes_by_reference(const zend_execute_data* execute_data) {
    return (ZEND_CALL_INFO(EX(call)) & ZEND_CALL_SEND_ARG_BY_REF) != 0;
}

// -- What an opline writes to

void on_static_property(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    if (opline->opcode == ZEND_FETCH_STATIC_PROP_FUNC_ARG && !goes_by_reference(execute_data)) return;
    zend_string* const name = name_in(execute_data, opline->op1, opline->op1_type);
    const zend_class_entry* const class_entry = name ? class_in(execute_data) : nullptr;
    if (!class_entry) return;
    const auto* const property =
        static_cast<const zend_property_info*>(zend_hash_find_ptr(&class_entry->properties_info, name));
    if (property) note(execute_data, property_thing(property->ce, zend_string_hash_val(name)));
}

void on_property(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    if (opline->opcode == ZEND_FETCH_OBJ_FUNC_ARG && !goes_by_reference(execute_data)) return;
    zend_object* const object = object_in(variable(execute_data, opline->op1, opline->op1_type));
    zend_string* const name = object ? name_in(execute_data, opline->op2, opline->op2_type) : nullptr;
    if (name) note(execute_data, property_thing(object, zend_string_hash_val(name)));
}

void on_variable(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    if (opline->op1_type != IS_CV) return;
    const zval* const value = EX_VAR(opline->op1.var);
    if (Z_TYPE_P(value) == IS_REFERENCE) note(execute_data, reference_thing(Z_REF_P(value)));
}

void on_element(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    if (opline->opcode == ZEND_FETCH_DIM_FUNC_ARG && !goes_by_reference(execute_data)) return;
    on_variable(execute_data);
    zend_object* const object = object_in(variable(execute_data, opline->op1, opline->op1_type));
    if (object) note(execute_data, object_thing(object));
}

void on_argument(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    const bool by_reference =
        opline->opcode == ZEND_SEND_REF ||
        (opline->op2_type != IS_CONST && ARG_SHOULD_BE_SENT_BY_REF(EX(call)->func, opline->op2.num));
    if (by_reference) on_variable(execute_data);
}

void on_global(zend_execute_data* execute_data) {
    const zend_op* const opline = EX(opline);
    if (!(opline->extended_value & (ZEND_FETCH_GLOBAL | ZEND_FETCH_GLOBAL_LOCK))) return;
    if (opline->opcode == ZEND_FETCH_FUNC_ARG && !goes_by_reference(execute_data)) return;
    zend_string* const name = name_in(execute_data, opline->op1, opline->op1_type);
    if (name) note(execute_data, global_thing(zend_string_hash_val(name)));
}

void on_changer(zend_execute_data* execute_data, const Changer& changer) {
    const zend_execute_data* const call = EX(call);
    std::string subject = changer.subject;
    const zval* const argument = changer.argument != Argument::kNone && ZEND_CALL_NUM_ARGS(call) > 0
                                     ? ZEND_CALL_ARG(call, 1)
                                     : nullptr;
    const bool has_name = argument && Z_TYPE_P(argument) == IS_STRING;
    if (changer.argument != Argument::kNames) note(execute_data, subject_thing(subject));
    if (!has_name) return;
    const std::string_view name = view(Z_STR_P(argument));
    if (changer.argument == Argument::kMayName) subject += " ";
    note(execute_data, subject_thing(subject.append(name.substr(0, name.find('=')))));
}

void on_call(zend_execute_data* execute_data) {
    zend_execute_data* const call = EX(call);
    if (call->func->type != ZEND_INTERNAL_FUNCTION) return;
    if (Z_TYPE(call->This) == IS_OBJECT) note(execute_data, object_thing(Z_OBJ(call->This)));
    const auto found = changers.find(call->func);
    if (found != changers.end()) on_changer(execute_data, *found->second);
}

template <void (*look)(zend_execute_data*)>
void look_while_recording(zend_execute_data* execute_data) {
    if (is_recording) look(execute_data);
}

template <void (*look)(zend_execute_data*)>
void handle_all(std::initializer_list<uint8_t> opcodes) {
    look_before<look_while_recording<look>>(opcodes);
}

void find_changers() {
    for (const Changer& changer : kChangers) {
        const std::string_view name = changer.function;
        const size_t colons = name.find("::");
        const HashTable* table = EG(function_table);
        std::string_view method = name;
        if (colons != std::string_view::npos) {
            const auto* const class_entry = static_cast<const zend_class_entry*>(
                zend_hash_str_find_ptr(EG(class_table), name.data(), colons));
            if (!class_entry) continue;
            table = &class_entry->function_table;
            method = name.substr(colons + 2);
        }
        const auto* const function =
            static_cast<const zend_function*>(zend_hash_str_find_ptr(table, method.data(), method.size()));
        if (function) changers.emplace(function, &changer);
    }
}

// -- Code that was compiled before

class CompiledCode {
  public:
    void watch(const zend_function* function) {
        if (ZEND_USER_CODE(function->type)) watch(function->op_array);
    }

  private:
    void watch(const zend_op_array& code) {
        // Closures share the code that they were made of.
        if (!seen_.insert(code.opcodes).second) return;
        // All oplines, for the JIT has counters in others: code that it makes would not be watched.
        for (uint32_t place = 0; place < code.last; ++place)
            zend_vm_set_opcode_handler(&code.opcodes[place]);
        for (uint32_t one = 0; one < code.num_dynamic_func_defs; ++one)
            watch(*code.dynamic_func_defs[one]);
    }

    std::unordered_set<const zend_op*> seen_;
};

void watch_table(CompiledCode& code, HashTable* functions) {
    void* one;
    ZEND_HASH_FOREACH_PTR(functions, one) {
        code.watch(static_cast<const zend_function*>(one));
    }
    ZEND_HASH_FOREACH_END();
}

void switch_jit_off() {
    zend_string* const name = zend_string_init(ZEND_STRL("opcache.jit"), false);
    const char* const jit = INI_STR("opcache.jit");
    // Disabled, it can neither run nor be set.
    if (jit && strcasecmp(jit, "disable") != 0)
        zend_alter_ini_entry_chars(name, ZEND_STRL("off"), ZEND_INI_USER, ZEND_INI_STAGE_RUNTIME);
    zend_string_release(name);
}

}  // namespace

uint64_t property_thing(const void* object_or_class, zend_ulong name_hash) {
    return thing_of(object_or_class, name_hash);
}

uint64_t global_thing(zend_ulong name_hash) {
    return thing_of(&EG(symbol_table), name_hash);
}

uint64_t object_thing(const zend_object* object) {
    return thing_of(object, 0);
}

uint64_t reference_thing(const zend_reference* reference) {
    return thing_of(reference, 0);
}

void begin_write_watch() {
    if (!changers.empty()) return;
    find_changers();
    handle_all<on_static_property>(
        {ZEND_ASSIGN_STATIC_PROP, ZEND_ASSIGN_STATIC_PROP_OP, ZEND_ASSIGN_STATIC_PROP_REF,
         ZEND_PRE_INC_STATIC_PROP, ZEND_PRE_DEC_STATIC_PROP, ZEND_POST_INC_STATIC_PROP,
         ZEND_POST_DEC_STATIC_PROP, ZEND_FETCH_STATIC_PROP_W, ZEND_FETCH_STATIC_PROP_RW,
         ZEND_FETCH_STATIC_PROP_FUNC_ARG, ZEND_FETCH_STATIC_PROP_UNSET});
    handle_all<on_property>({ZEND_ASSIGN_OBJ, ZEND_ASSIGN_OBJ_OP, ZEND_ASSIGN_OBJ_REF, ZEND_PRE_INC_OBJ,
                             ZEND_PRE_DEC_OBJ, ZEND_POST_INC_OBJ, ZEND_POST_DEC_OBJ, ZEND_FETCH_OBJ_W,
                             ZEND_FETCH_OBJ_RW, ZEND_FETCH_OBJ_FUNC_ARG, ZEND_FETCH_OBJ_UNSET,
                             ZEND_UNSET_OBJ});
    handle_all<on_variable>({ZEND_ASSIGN, ZEND_ASSIGN_OP, ZEND_ASSIGN_REF, ZEND_PRE_INC, ZEND_PRE_DEC,
                             ZEND_POST_INC, ZEND_POST_DEC});
    handle_all<on_element>({ZEND_ASSIGN_DIM, ZEND_ASSIGN_DIM_OP, ZEND_FETCH_DIM_W, ZEND_FETCH_DIM_RW,
                            ZEND_FETCH_DIM_FUNC_ARG, ZEND_FETCH_DIM_UNSET, ZEND_UNSET_DIM});
    handle_all<on_argument>({ZEND_SEND_REF, ZEND_SEND_VAR_EX, ZEND_SEND_FUNC_ARG});
    handle_all<on_global>(
        {ZEND_FETCH_W, ZEND_FETCH_RW, ZEND_FETCH_FUNC_ARG, ZEND_FETCH_UNSET, ZEND_UNSET_VAR});
    handle_all<on_call>({ZEND_DO_ICALL, ZEND_DO_FCALL, ZEND_DO_FCALL_BY_NAME});
    switch_jit_off();
}

void watch_compiled_code() {
    // Code in the opcode cache cannot be changed while the cache is protected.
    if (INI_BOOL("opcache.protect_memory")) return;
    CompiledCode code;
    watch_table(code, EG(function_table));
    void* one;
    ZEND_HASH_FOREACH_PTR(EG(class_table), one) {
        watch_table(code, &static_cast<zend_class_entry*>(one)->function_table);
    }
    ZEND_HASH_FOREACH_END();
    for (const zend_execute_data* frame = EG(current_execute_data); frame; frame = frame->prev_execute_data)
        if (frame->func) code.watch(frame->func);
    const zend_objects_store& store = EG(objects_store);
    for (uint32_t handle = 1; handle < store.top; ++handle) {
        zend_object* const object = store.object_buckets[handle];
        if (IS_OBJ_VALID(object) && object->ce == zend_ce_closure)
            code.watch(zend_get_closure_method_def(object));
    }
}

void record_writes(bool on) {
    is_recording = on;
    if (on) places.clear();
}

std::string written_at(uint64_t thing) {
    return places.of(thing);
}

std::string called_at(std::string_view subject) {
    return places.of(subject_thing(subject));
}

}  // namespace sluice::php
