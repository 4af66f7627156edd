#pragma once

#include "php/zend/objects.h"
#include "php/zend/php_api.h"
#include "server/seam/connection_id.h"

namespace sluice::php {

struct Worker;

// What both Connection classes are: an object whose first property is its id, and nothing else.

struct ConnectionObject {
    zend_object object;
};

inline ConnectionId connection_id(zval* this_value) {
    // A negative one, or one never given, names no connection: the port answers for all of them alike.
    return static_cast<ConnectionId>(Z_LVAL_P(OBJ_PROP_NUM(Z_OBJ_P(this_value), 0)));
}

inline zend_object* new_connection(zend_class_entry* class_entry, const zend_object_handlers& handlers,
                                   ConnectionId id) {
    ConnectionObject* self = new_embedded<ConnectionObject>(class_entry, handlers);
    init_property(&self->object, 0, static_cast<zend_long>(id));
    return &self->object;
}

// Methods that both have.
void return_is_open(INTERNAL_FUNCTION_PARAMETERS);
void return_queued_bytes(INTERNAL_FUNCTION_PARAMETERS);
void return_peer(INTERNAL_FUNCTION_PARAMETERS);
void return_data(INTERNAL_FUNCTION_PARAMETERS);
void attach_data(INTERNAL_FUNCTION_PARAMETERS);

/// Whether that much may be attached; throws when not. `argument`: its number.
bool check_attachment(const Worker& worker, const zend_string* data, uint32_t argument);
/// What is attached to a connection; empty: nothing is. A string of the caller's.
zend_string* attached_data(const Worker& worker, ConnectionId id);

}  // namespace sluice::php
