#include "php/websocket_connection_class.h"

#include <cstdlib>
#include <cstring>

#include "php/connection.h"
#include "php/enums.h"
#include "php/errors.h"
#include "php/websocket_arguments.h"
#include "php/worker.h"
#include "protocol/websocket_frame.h"
#include "protocol/websocket_handshake.h"

namespace sluice::php {

namespace {

zend_class_entry* websocket_connection_class;
zend_object_handlers handlers;

zend_object* create_connection(zend_class_entry* class_entry) {
    return &new_embedded<ConnectionObject>(class_entry, handlers)->object;
}

void submit_topic(zval* this_value, CommandKind kind, zend_string* topic) {
    if (!check_topic(topic, 1)) return;
    Worker* worker = require_worker();
    if (!worker) return;
    Command command;
    command.kind = kind;
    command.connection = connection_id(this_value);
    command.head = view(topic);
    worker->port->submit(command);
}

void report(zval* failed, zend_long id, Delivery delivery) {
    zval value;
    ZVAL_OBJ_COPY(&value, delivery_case(delivery));
    zend_hash_index_update(Z_ARRVAL_P(failed), static_cast<zend_ulong>(id), &value);
}

/// Sends to the first `count` ids, all of one reactor.
void send_group(Worker& worker, const ConnectionId* ids, size_t count, std::string_view data, bool binary,
                zval* failed) {
    // A record holds no more ids than this; beyond it the payload crosses once for each group.
    constexpr size_t kMostIds = 8192;
    for (; count > kMostIds; ids += kMostIds, count -= kMostIds)
        send_group(worker, ids, kMostIds, data, binary, failed);
    Command command;
    command.kind = CommandKind::kSendMany;
    command.binary = binary;
    command.connection = ids[0];
    command.head = {reinterpret_cast<const char*>(ids), count * sizeof(ConnectionId)};
    command.body = data;
    const Delivery delivery = worker.port->submit(command);
    if (delivery != Delivery::kDropped && delivery != Delivery::kClosed) return;
    for (size_t index = 0; index < count; ++index)
        report(failed, static_cast<zend_long>(ids[index]), delivery);
}

}  // namespace

void init_websocket_connection_class(zend_class_entry* class_entry) {
    websocket_connection_class = class_entry;
    class_entry->create_object = create_connection;
    init_handlers<ConnectionObject>(handlers, zend_object_std_dtor);
}

zend_object* new_websocket_connection(ConnectionId id) {
    return new_connection(websocket_connection_class, handlers, id);
}

}  // namespace sluice::php

using namespace sluice::php;
namespace websocket = sluice::websocket;
using sluice::Command;
using sluice::CommandKind;
using sluice::ConnectionId;

ZEND_METHOD(Sluice_WebSocket_Connection, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_WebSocket_Connection, fromId) {
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_OBJ(new_websocket_connection(static_cast<ConnectionId>(id)));
}

ZEND_METHOD(Sluice_WebSocket_Connection, send) {
    zend_string* data;
    bool binary = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(data)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(binary)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_message(data, binary, 1)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    Command command;
    command.kind = CommandKind::kSend;
    command.binary = binary;
    command.connection = connection_id(ZEND_THIS);
    command.body = view(data);
    RETURN_DELIVERY(worker->port->submit(command));
}

ZEND_METHOD(Sluice_WebSocket_Connection, sendMany) {
    HashTable* list;
    zend_string* data;
    bool binary = false;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_ARRAY_HT(list)
    Z_PARAM_STR(data)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(binary)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_message(data, binary, 2)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    zval* item;
    ZEND_HASH_FOREACH_VAL(list, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) == IS_LONG) continue;
        zend_argument_type_error(1, "must be a list of int, %s found in it", zend_zval_type_name(item));
        RETURN_THROWS();
    }
    ZEND_HASH_FOREACH_END();

    // Counted and placed by reactor; what is closed falls out on the way.
    array_init(return_value);
    size_t ends[sluice::kMaxReactors] = {};
    auto* open =
        static_cast<ConnectionId*>(safe_emalloc(zend_hash_num_elements(list) + 1, sizeof(ConnectionId), 0));
    auto* grouped =
        static_cast<ConnectionId*>(safe_emalloc(zend_hash_num_elements(list) + 1, sizeof(ConnectionId), 0));
    size_t count = 0;
    ZEND_HASH_FOREACH_VAL(list, item) {
        ZVAL_DEREF(item);
        const zend_long id = Z_LVAL_P(item);
        if (id > 0 && worker->port->is_open(static_cast<ConnectionId>(id))) {
            open[count++] = static_cast<ConnectionId>(id);
            ++ends[sluice::reactor_of(static_cast<ConnectionId>(id))];
        } else {
            report(return_value, id, sluice::Delivery::kClosed);
        }
    }
    ZEND_HASH_FOREACH_END();
    size_t begins[sluice::kMaxReactors];
    for (size_t reactor = 0, begin = 0; reactor < sluice::kMaxReactors; ++reactor) {
        begins[reactor] = begin;
        begin += ends[reactor];
        ends[reactor] = begins[reactor];
    }
    for (size_t index = 0; index < count; ++index)
        grouped[ends[sluice::reactor_of(open[index])]++] = open[index];
    for (size_t reactor = 0; reactor < sluice::kMaxReactors; ++reactor) {
        const size_t size = ends[reactor] - begins[reactor];
        if (size) send_group(*worker, grouped + begins[reactor], size, view(data), binary, return_value);
    }
    efree(open);
    efree(grouped);
}

ZEND_METHOD(Sluice_WebSocket_Connection, ping) {
    zend_string* data = zend_empty_string;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();

    if (ZSTR_LEN(data) > websocket::kMaxControlPayloadBytes) {
        zend_argument_value_error(1, "must be at most %d bytes long, %zu given",
                                  static_cast<int>(websocket::kMaxControlPayloadBytes), ZSTR_LEN(data));
        RETURN_THROWS();
    }
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    Command command;
    command.kind = CommandKind::kPing;
    command.connection = connection_id(ZEND_THIS);
    command.body = view(data);
    RETURN_DELIVERY(worker->port->submit(command));
}

ZEND_METHOD(Sluice_WebSocket_Connection, roundTripSeconds) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const uint32_t microseconds = worker->port->round_trip_us(connection_id(ZEND_THIS));
    if (microseconds == 0) RETURN_NULL();
    RETURN_DOUBLE(microseconds / 1e6);
}

ZEND_METHOD(Sluice_WebSocket_Connection, protocol) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const uint32_t number = worker->port->protocol_number(connection_id(ZEND_THIS));
    for (const std::string& protocol : worker->protocols)
        if (number && websocket::protocol_number(protocol) == number) RETURN_VIEW(protocol);
    RETURN_EMPTY_STRING();
}

ZEND_METHOD(Sluice_WebSocket_Connection, close) {
    zend_long code = websocket::close_code::kNormal;
    zend_string* reason = zend_empty_string;
    ZEND_PARSE_PARAMETERS_START(0, 2)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(code)
    Z_PARAM_STR(reason)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_close(code, reason)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    Command command;
    command.kind = CommandKind::kClose;
    command.connection = connection_id(ZEND_THIS);
    command.code = static_cast<uint16_t>(code);
    command.body = view(reason);
    RETURN_DELIVERY(worker->port->submit(command));
}

ZEND_METHOD(Sluice_WebSocket_Connection, subscribe) {
    zend_string* topic;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(topic)
    ZEND_PARSE_PARAMETERS_END();
    submit_topic(ZEND_THIS, CommandKind::kSubscribe, topic);
}

ZEND_METHOD(Sluice_WebSocket_Connection, unsubscribe) {
    zend_string* topic;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(topic)
    ZEND_PARSE_PARAMETERS_END();
    submit_topic(ZEND_THIS, CommandKind::kUnsubscribe, topic);
}

ZEND_METHOD(Sluice_WebSocket_Connection, publish) {
    zend_string *topic, *data;
    bool binary = false, except_self = false;
    ZEND_PARSE_PARAMETERS_START(2, 4)
    Z_PARAM_STR(topic)
    Z_PARAM_STR(data)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(binary)
    Z_PARAM_BOOL(except_self)
    ZEND_PARSE_PARAMETERS_END();
    publish(topic, data, binary, except_self ? connection_id(ZEND_THIS) : sluice::kNoConnection);
}

ZEND_METHOD(Sluice_WebSocket_Connection, isOpen) {
    return_is_open(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_WebSocket_Connection, queuedBytes) {
    return_queued_bytes(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_WebSocket_Connection, peer) {
    return_peer(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
