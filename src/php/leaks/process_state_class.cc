#include "php/leaks/process_state_class.h"

#include <charconv>
#include <climits>
#include <dirent.h>
#include <ext/standard/basic_functions.h>
#include <unistd.h>

#include "php/coroutine/coroutine_places.h"
#include "php/hooks/connection_identity.h"
#include "php/hooks/open_transactions.h"
#include "php/leaks/state_roots.h"
#include "php/leaks/write_watch.h"
#include "php/worker/server_sockets.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

struct ProcessStateObject {
    ValueGraph* graph;
    zend_object* server;
    bool is_whole;
    zend_object object;
};

zend_object_handlers handlers;

void free_process_state(zend_object* object) {
    auto* const self = embedded<ProcessStateObject>(object);
    delete self->graph;
    if (self->server) OBJ_RELEASE(self->server);
    zend_object_std_dtor(object);
}

HashTable* references(zend_object* object, zval** table, int* count) {
    zend_get_gc_buffer* const buffer = zend_get_gc_buffer_create();
    if (zend_object* const server = embedded<ProcessStateObject>(object)->server)
        zend_get_gc_buffer_add_obj(buffer, server);
    zend_get_gc_buffer_use(buffer, table, count);
    return zend_std_get_properties(object);
}

template <typename F>
void for_each_object(F&& f) {
    const zend_objects_store& store = EG(objects_store);
    for (uint32_t handle = 1; handle < store.top; ++handle) {
        zend_object* const object = store.object_buckets[handle];
        if (IS_OBJ_VALID(object) && !(OBJ_FLAGS(object) & IS_OBJ_DESTRUCTOR_CALLED)) f(object);
    }
}

}  // namespace

void init_process_state_class(zend_class_entry* class_entry) {
    init_handlers<ProcessStateObject>(handlers, free_process_state);
    handlers.get_gc = references;
    class_entry->create_object = [](zend_class_entry* entry) {
        return &new_embedded<ProcessStateObject>(entry, handlers)->object;
    };
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Internal_ProcessState, __construct) {
    zend_object* server;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJ(server)
    ZEND_PARSE_PARAMETERS_END();
    auto* const self = embedded<ProcessStateObject>(ZEND_THIS);
    if (self->graph) return;
    self->graph = new ValueGraph;
    GC_ADDREF(server);
    self->server = server;
}

ZEND_METHOD(Sluice_Internal_ProcessState, changes) {
    ZEND_PARSE_PARAMETERS_NONE();
    auto* const self = embedded<ProcessStateObject>(ZEND_THIS);
    array_init(return_value);
    if (!self->graph) return;
    self->graph->begin();
    add_state_roots(*self->graph, self->server);
    self->is_whole = self->graph->look();
    for (const ValueGraph::Change& change : self->graph->compare()) {
        zval row;
        array_init_size(&row, 4);
        for (const std::string* text : {&change.place, &change.was, &change.is, &change.at})
            add_next_index_stringl(&row, text->data(), text->size());
        add_next_index_zval(return_value, &row);
    }
}

ZEND_METHOD(Sluice_Internal_ProcessState, isWhole) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<ProcessStateObject>(ZEND_THIS)->is_whole);
}

ZEND_METHOD(Sluice_Internal_ProcessState, recordWrites) {
    bool on;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_BOOL(on)
    ZEND_PARSE_PARAMETERS_END();
    record_writes(on);
}

ZEND_METHOD(Sluice_Internal_ProcessState, calledAt) {
    zend_string* subject;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(subject)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_STR(new_string(called_at(view(subject))));
}

ZEND_METHOD(Sluice_Internal_ProcessState, descriptors) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    DIR* const folder = opendir("/proc/self/fd");
    if (!folder) return;
    while (const dirent* entry = readdir(folder)) {
        const std::string_view name = entry->d_name;
        int fd = -1;
        std::from_chars(name.data(), name.data() + name.size(), fd);
        if (fd < 0 || fd == dirfd(folder)) continue;
        if (current_worker() && is_of_server(fd, current_worker()->identity)) continue;
        char target[PATH_MAX];
        const ssize_t size = readlinkat(dirfd(folder), entry->d_name, target, sizeof target);
        if (size <= 0) continue;
        add_next_index_str(return_value, strpprintf(0, "%d, %.*s", fd, static_cast<int>(size), target));
    }
    closedir(folder);
}

ZEND_METHOD(Sluice_Internal_ProcessState, transactions) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    for_each_object([return_value](zend_object* object) {
        if (!has_open_transaction(object)) return;
        // A statement has the connection that it was prepared with.
        const void* const connection = connection_of(object);
        const std::string_view begun = begin_of_transaction(connection);
        zval text;
        ZVAL_STR(&text, strpprintf(0, "%s%s%.*s", ZSTR_VAL(object->ce->name), begun.empty() ? "" : " since ",
                                   static_cast<int>(begun.size()), begun.data()));
        if (!zend_hash_index_add(Z_ARRVAL_P(return_value), reinterpret_cast<zend_ulong>(connection), &text))
            zval_ptr_dtor(&text);
    });
    // The last one that a handler has left, and that was rolled back at its end.
    const LeftTransactions& left = left_transactions();
    if (left.count > 0)
        add_index_str(return_value, left.count, strpprintf(0, "a connection since %s", left.last.c_str()));
}

ZEND_METHOD(Sluice_Internal_ProcessState, objects) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    for_each_object([return_value](zend_object* object) {
        zval* const count = zend_hash_lookup(Z_ARRVAL_P(return_value), object->ce->name);
        ZVAL_LONG(count, Z_TYPE_P(count) == IS_LONG ? Z_LVAL_P(count) + 1 : 1);
    });
}

ZEND_METHOD(Sluice_Internal_ProcessState, timers) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(current_worker() ? current_worker()->active_timers : 0);
}

ZEND_METHOD(Sluice_Internal_ProcessState, shutdownFunctions) {
    ZEND_PARSE_PARAMETERS_NONE();
    const HashTable* const functions = BG(user_shutdown_function_names);
    RETURN_LONG(functions ? zend_hash_num_elements(functions) : 0);
}

ZEND_METHOD(Sluice_Internal_ProcessState, coroutines) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(scheduler() ? static_cast<zend_long>(scheduler()->live()) : 0);
}

ZEND_METHOD(Sluice_Internal_ProcessState, places) {
    ZEND_PARSE_PARAMETERS_NONE();
    smart_str text = {};
    if (scheduler()) append_places(text, *scheduler());
    smart_str_0(&text);
    if (text.s) RETURN_STR(text.s);
    RETURN_EMPTY_STRING();
}
