#pragma once

#include "php/zend/objects.h"
#include "php/zend/php_api.h"
#include "server/seam/connection_id.h"

namespace sluice::php {

struct Worker;

// Shared by both Connection classes: their objects have the id as the first property, and no other state.

struct ConnectionObject {
    zend_object object;
};

inline ConnectionId connection_id(zval* this_value) {
    // A negative or unknown id names no connection: the port handles it as a closed one.
    return static_cast<ConnectionId>(Z_LVAL_P(OBJ_PROP_NUM(Z_OBJ_P(this_value), 0)));
}

inline zend_object* new_connection(zend_class_entry* class_entry, const zend_object_handlers& handlers,
                                   ConnectionId id) {
    ConnectionObject* self = new_embedded<ConnectionObject>(class_entry, handlers);
    init_property(&self->object, 0, static_cast<zend_long>(id));
    return &self->object;
}

// Methods of both classes.
void return_is_open(INTERNAL_FUNCTION_PARAMETERS);
void return_queued_bytes(INTERNAL_FUNCTION_PARAMETERS);
void return_peer(INTERNAL_FUNCTION_PARAMETERS);
void return_data(INTERNAL_FUNCTION_PARAMETERS);
void attach_data(INTERNAL_FUNCTION_PARAMETERS);

/// Whether `data` may be attached; throws when it is too long. `argument`: its number.
bool check_attachment(const Worker& worker, const zend_string* data, uint32_t argument);
/// A new string with the data attached to a connection; empty: none.
zend_string* attached_data(const Worker& worker, ConnectionId id);

}  // namespace sluice::php
