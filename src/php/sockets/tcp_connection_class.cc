#include "php/sockets/tcp_connection_class.h"

#include "php/worker/connection.h"
#include "php/worker/delivery.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"

namespace sluice::php {

namespace {

zend_class_entry* tcp_connection_class;
zend_object_handlers handlers;

zend_object* create_connection(zend_class_entry* class_entry) {
    return &new_embedded<ConnectionObject>(class_entry, handlers)->object;
}

void return_submitted(zval* return_value, zval* this_value, const Command::What& what,
                      std::string_view payload) {
    Worker* worker = require_worker();
    if (!worker) return;
    const Command command{.what = what, .connection = connection_id(this_value), .payload = payload};
    const Delivery delivery =
        command.is<command::Send>() ? send_message(*worker, command) : submit(*worker, command);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

}  // namespace

void init_tcp_connection_class(zend_class_entry* class_entry) {
    tcp_connection_class = class_entry;
    class_entry->create_object = create_connection;
    init_handlers<ConnectionObject>(handlers, zend_object_std_dtor);
}

zend_object* new_tcp_connection(ConnectionId id) {
    return new_connection(tcp_connection_class, handlers, id);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Tcp_Connection, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Tcp_Connection, fromId) {
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_OBJ(new_tcp_connection(static_cast<sluice::ConnectionId>(id)));
}

ZEND_METHOD(Sluice_Tcp_Connection, send) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    return_submitted(return_value, ZEND_THIS, sluice::command::Send{}, view(data));
}

ZEND_METHOD(Sluice_Tcp_Connection, close) {
    ZEND_PARSE_PARAMETERS_NONE();
    return_submitted(return_value, ZEND_THIS, sluice::command::Close{}, {});
}

ZEND_METHOD(Sluice_Tcp_Connection, attach) {
    attach_data(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_Tcp_Connection, data) {
    return_data(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_Tcp_Connection, isOpen) {
    return_is_open(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_Tcp_Connection, queuedBytes) {
    return_queued_bytes(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_Tcp_Connection, peer) {
    return_peer(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
