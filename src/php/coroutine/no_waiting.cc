#include "php/coroutine/no_waiting.h"

#include <Zend/zend_observer.h>
#include <span>
#include <string_view>

#include "php/coroutine/known_extensions.h"
#include "php/coroutine/soap_aside.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

struct Member {
    const char* class_name;  ///< in lower case; nullptr for a function
    const char* name;
};

constexpr Member kGuarded[] = {
    // Its comparison function is in a static variable that this extension cannot save.
    {nullptr, "array_multisort"},
    // Another call with this pattern and other options frees the pattern in use.
    {nullptr, "mb_ereg_replace_callback"},
    // One table for the process of what has been packed, also while __sleep() runs
    {nullptr, "msgpack_pack"},
    {nullptr, "msgpack_serialize"},
    {"messagepack", "pack"},
    // One collator for the process, used while objects are converted to strings
    {nullptr, "collator_sort"},
    {nullptr, "collator_asort"},
    {nullptr, "collator_sort_with_sort_keys"},
    {"collator", "sort"},
    {"collator", "asort"},
    {"collator", "sortwithsortkeys"},
    // One scanner, which reads through stream wrappers of PHP code, and prints
    {nullptr, "highlight_file"},
    {nullptr, "highlight_string"},
    {nullptr, "show_source"},
    {nullptr, "php_strip_whitespace"},
    {nullptr, "opcache_compile_file"},
    // Where it puts what it reads
    {nullptr, "parse_ini_file"},
    {nullptr, "parse_ini_string"},
    // Holds the lock of the cache, for which other workers wait
    {nullptr, "apcu_entry"},
    // Another coroutine must not find the class half loaded.
    {nullptr, "spl_autoload_call"},
};

/// Calls whose internal state is unknown
constexpr Member kSoap[] = {
    {"soapclient", "__construct"}, {"soapclient", "__call"}, {"soapclient", "__soapcall"},
    {"soapserver", "__construct"}, {"soapserver", "handle"},
};

/// How many such calls are active. A fatal error leaves them counted.
unsigned forbidding = 0;

/// Whether PHP has ever reported an error while it linked a class. Noted at each error, so that a suspension
/// looks for such a class only if there was one.
bool linking_has_warned = false;

bool links_class(const zend_execute_data* frame) {
    if (!frame || !frame->func || !ZEND_USER_CODE(frame->func->type)) return false;
    const zend_uchar opcode = frame->opline->opcode;
    return opcode == ZEND_DECLARE_CLASS || opcode == ZEND_DECLARE_CLASS_DELAYED ||
           opcode == ZEND_DECLARE_ANON_CLASS;
}

void note_error(int, zend_string*, uint32_t, zend_string*) {
    if (links_class(EG(current_execute_data))) linking_has_warned = true;
}

/// Whether a class is being linked: its name is taken, but other code can neither use nor declare it.
bool is_linking() {
    for (const zend_execute_data* frame = EG(current_execute_data); frame; frame = frame->prev_execute_data) {
        if (links_class(frame)) return true;
    }
    return false;
}

/// Whether the function of the setting unserialize_callback_func is being called, which declares a class as
/// an autoloader does.
bool is_unserializing_class() {
    std::string_view name = PG(unserialize_callback_func);
    name.remove_prefix(name.rfind(':') + 1);
    for (const zend_execute_data* frame = EG(current_execute_data); frame; frame = frame->prev_execute_data) {
        const zend_execute_data* const caller = frame->prev_execute_data;
        if (!caller || !caller->func || ZEND_USER_CODE(caller->func->type)) continue;
        const zend_string* const called = frame->func ? frame->func->common.function_name : nullptr;
        if (called &&
            zend_binary_strcasecmp(ZSTR_VAL(called), ZSTR_LEN(called), name.data(), name.size()) == 0)
            return true;
    }
    return false;
}

zend_op_array* (*compile_file)(zend_file_handle*, int) = nullptr;
decltype(zend_compile_string) compile_string = nullptr;
decltype(zend_autoload) autoload = nullptr;

zend_op_array* compile_file_without_waiting(zend_file_handle* file, int type) {
    ++forbidding;
    zend_op_array* const compiled = compile_file(file, type);
    --forbidding;
    return compiled;
}

zend_op_array* compile_string_without_waiting(zend_string* source, const char* name,
                                              zend_compile_position position) {
    ++forbidding;
    zend_op_array* const compiled = compile_string(source, name, position);
    --forbidding;
    return compiled;
}

/// While a class is being loaded, PHP tells other code that needs it that it does not exist.
zend_class_entry* autoload_without_waiting(zend_string* name, zend_string* lower_name) {
    ++forbidding;
    zend_class_entry* const loaded = autoload(name, lower_name);
    --forbidding;
    return loaded;
}

template <typename F>
void put_between(F*& place, F*& original, F* ours) {
    if (!place || place == ours) return;
    original = place;
    place = ours;
}
template <typename F>
void take_out(F*& place, F* original, F* ours) {
    if (place == ours) place = original;
}

zend_function* find_member(const Member& member) {
    HashTable* table = CG(function_table);
    if (member.class_name) {
        zend_class_entry* const class_entry = find_internal_class(member.class_name);
        if (!class_entry) return nullptr;
        table = &class_entry->function_table;
    }
    return static_cast<zend_function*>(zend_hash_str_find_ptr(table, member.name, strlen(member.name)));
}

void guard(std::span<const Member> members) {
    for (const Member& member : members) {
        if (zend_function* function = find_member(member)) wrap_function(function, call_without_waiting);
    }
}
void release(std::span<const Member> members) {
    for (const Member& member : members) {
        if (zend_function* function = find_member(member)) unwrap_function(function, call_without_waiting);
    }
}

template <typename F>
void for_each_function_in(HashTable* table, const zend_module_entry* extension, F&& f) {
    void* found;
    ZEND_HASH_FOREACH_PTR(table, found) {
        auto* const function = static_cast<zend_function*>(found);
        if (function->type == ZEND_INTERNAL_FUNCTION && function->internal_function.module == extension)
            f(function);
    }
    ZEND_HASH_FOREACH_END();
}

/// For each function and method of extensions of which nobody knows what they keep in the process.
template <typename F>
void for_each_function_of_unknown_extensions(F&& f) {
    for_each_unknown_extension([&f](const zend_module_entry& extension) {
        for_each_function_in(CG(function_table), &extension, f);
        void* found;
        ZEND_HASH_FOREACH_PTR(CG(class_table), found) {
            auto* const class_entry = static_cast<zend_class_entry*>(found);
            if (class_entry->type == ZEND_INTERNAL_CLASS)
                for_each_function_in(&class_entry->function_table, &extension, f);
        }
        ZEND_HASH_FOREACH_END();
    });
}

}  // namespace

void call_without_waiting(INTERNAL_FUNCTION_PARAMETERS) {
    const zif_handler original = original_of(execute_data->func);
    ++forbidding;
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    --forbidding;
}

void notice_class_linking() {
    zend_observer_error_register(note_error);
}

void guard_calls_without_waiting() {
    guard(kGuarded);
    for_each_function_of_unknown_extensions(
        [](zend_function* function) { wrap_function(function, call_without_waiting); });
    if (!knows_soap()) guard(kSoap);
}

void release_calls_without_waiting() {
    release(kGuarded);
    for_each_function_of_unknown_extensions(
        [](zend_function* function) { unwrap_function(function, call_without_waiting); });
    release(kSoap);
}

void guard_compiling() {
    forbidding = 0;
    put_between(zend_compile_file, compile_file, compile_file_without_waiting);
    put_between(zend_compile_string, compile_string, compile_string_without_waiting);
    put_between(zend_autoload, autoload, autoload_without_waiting);
}

void release_compiling() {
    take_out(zend_compile_file, compile_file, compile_file_without_waiting);
    take_out(zend_compile_string, compile_string, compile_string_without_waiting);
    take_out(zend_autoload, autoload, autoload_without_waiting);
}

bool is_calling_without_waiting() {
    return forbidding > 0;
}

void forget_calls_without_waiting() {
    forbidding = 0;
}

bool is_waiting_forbidden() {
    if (forbidding > 0 || (UNEXPECTED(linking_has_warned) && is_linking())) return true;
    const char* const unserializes = PG(unserialize_callback_func);
    return UNEXPECTED(unserializes && *unserializes) && is_unserializing_class();
}

}  // namespace sluice::php
