#include "php/leaks/state_roots.h"

#include "php/leaks/write_watch.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

bool is_own(const zend_string* filename) {
    return filename && view(filename).starts_with(kLibraryFolder);
}

/// `name`: the function's, as PHP code would write it.
void add_static_variables(ValueGraph& graph, const zend_op_array& code, const std::string& name) {
    // Before the first call there are only the values that the code begins with.
    auto* const variables = static_cast<HashTable*>(
        code.static_variables ? ZEND_MAP_PTR_GET(code.static_variables_ptr) : nullptr);
    if (!variables) return;
    zend_string* variable;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(variables, variable, value) {
        graph.add_root("static $" + std::string(view(variable)) + " of " + name + "()", *value, false, 0);
    }
    ZEND_HASH_FOREACH_END();
}

void add_functions(ValueGraph& graph) {
    void* one;
    ZEND_HASH_FOREACH_PTR(EG(function_table), one) {
        const auto* const function = static_cast<const zend_function*>(one);
        if (!ZEND_USER_CODE(function->type) || is_own(function->op_array.filename)) continue;
        add_static_variables(graph, function->op_array, std::string(view(function->common.function_name)));
    }
    ZEND_HASH_FOREACH_END();
}

void add_class(ValueGraph& graph, zend_class_entry* class_entry) {
    const std::string name = std::string(view(class_entry->name)) + "::";
    zval* const members = CE_STATIC_MEMBERS(class_entry);
    void* one;
    if (members) {
        zend_string* key;
        ZEND_HASH_FOREACH_STR_KEY_PTR(&class_entry->properties_info, key, one) {
            const auto* const property = static_cast<const zend_property_info*>(one);
            // An inherited property belongs to the parent.
            if (!(property->flags & ZEND_ACC_STATIC) || property->ce != class_entry) continue;
            const zval* value = members + property->offset;
            if (Z_TYPE_P(value) == IS_INDIRECT) value = Z_INDIRECT_P(value);
            graph.add_root(name + "$" + std::string(view(key)), *value, false,
                           property_thing(class_entry, ZSTR_HASH(key)));
        }
        ZEND_HASH_FOREACH_END();
    }
    ZEND_HASH_FOREACH_PTR(&class_entry->function_table, one) {
        const auto* const method = static_cast<const zend_function*>(one);
        if (!ZEND_USER_CODE(method->type) || method->common.scope != class_entry) continue;
        add_static_variables(graph, method->op_array, name + std::string(view(method->common.function_name)));
    }
    ZEND_HASH_FOREACH_END();
}

void add_globals(ValueGraph& graph) {
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(&EG(symbol_table), name, value) {
        if (Z_TYPE_P(value) == IS_INDIRECT) value = Z_INDIRECT_P(value);
        if (!name || Z_TYPE_P(value) == IS_UNDEF) continue;
        // PHP makes superglobals when code that names them is compiled.
        const bool is_superglobal = zend_hash_exists(CG(auto_globals), name);
        graph.add_root("$" + std::string(view(name)), *value, !is_superglobal, global_thing(ZSTR_HASH(name)));
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace

void add_state_roots(ValueGraph& graph, zend_object* server) {
    zval value;
    ZVAL_OBJ(&value, server);
    graph.add_root("the server", value, false, 0);
    void* one;
    ZEND_HASH_FOREACH_PTR(EG(class_table), one) {
        auto* const class_entry = static_cast<zend_class_entry*>(one);
        if (class_entry->type == ZEND_USER_CLASS && !is_own(class_entry->info.user.filename))
            add_class(graph, class_entry);
    }
    ZEND_HASH_FOREACH_END();
    add_functions(graph);
    add_globals(graph);
}

}  // namespace sluice::php
