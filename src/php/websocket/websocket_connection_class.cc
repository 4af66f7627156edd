#include "php/websocket/websocket_connection_class.h"

#include <cstdlib>
#include <cstring>

#include "php/coroutine/deadlines.h"
#include "php/http/route_values.h"
#include "php/websocket/websocket_arguments.h"
#include "php/worker/ask_reactors.h"
#include "php/worker/connection.h"
#include "php/worker/delivery.h"
#include "php/worker/sending.h"
#include "php/worker/topic_arguments.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/config/config.h"
#include "server/config/limits.h"
#include "server/seam/shared_layout.h"
#include "server/seam/topic.h"

namespace sluice::php {

namespace {

zend_class_entry* websocket_connection_class;
zend_object_handlers handlers;

zend_object* create_connection(zend_class_entry* class_entry) {
    return &new_embedded<ConnectionObject>(class_entry, handlers)->object;
}

void return_submitted(zval* return_value, Worker& worker, const Command& command) {
    const Delivery delivery = submit(worker, command);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

/// `Change`: command::Subscribe or Unsubscribe.
template <typename Change>
void change_subscription(INTERNAL_FUNCTION_PARAMETERS, bool prefix) {
    zend_string* topic;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(topic)
    ZEND_PARSE_PARAMETERS_END();
    if (prefix ? !check_prefix(topic, 1) : !check_topic(topic, 1)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    return_submitted(return_value, *worker,
                     {.what = Change{view(topic), prefix}, .connection = connection_id(ZEND_THIS)});
}

void return_subscriptions(INTERNAL_FUNCTION_PARAMETERS, TopicMatch match) {
    double timeout_seconds = 5;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE(timeout_seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(timeout_seconds, 0, 1)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    array_init(return_value);
    if (worker->port->is_open(connection_id(ZEND_THIS)))
        ask_topics(*worker, connection_id(ZEND_THIS), match, timeout_seconds, return_value);
}

/// A connection's path, and the pattern of its route; empty when that has no parameters.
struct RoutePath {
    std::string_view pattern;
    char path[PathCell::kMostBytes];
    size_t bytes = 0;
};

bool find_path(const Worker& worker, ConnectionId id, RoutePath& at) {
    uint16_t endpoint;
    if (!worker.port->read_path(id, endpoint, at.path, at.bytes)) return false;
    const int index = worker.endpoint_index(endpoint);
    if (index < 0) return false;
    at.pattern = worker.config->endpoints[static_cast<size_t>(index)].path;
    return true;
}

void report(zval* failed, zend_long id, Delivery delivery) {
    zval value;
    ZVAL_OBJ_COPY(&value, delivery_case(delivery));
    zend_hash_index_update(Z_ARRVAL_P(failed), static_cast<zend_ulong>(id), &value);
}

/// Whether the connection's policy for slow clients applies now.
bool is_behind(const Worker& worker, ConnectionId id, size_t bytes) {
    const size_t queued = worker.port->queued_bytes(id);
    if (queued == 0) return false;
    const SendLimits& limits = worker.port->sending(id);
    const bool waits = worker.port->slow_client(id) == SlowClient::kWait;
    return queued + bytes > (waits ? limits.high_water() : limits.queued_bytes);
}

/// Sends to the first `count` ids, all of one reactor.
void send_group(Worker& worker, const ConnectionId* ids, size_t count, std::string_view data, bool binary,
                zval* failed) {
    // A record holds no more ids than this; beyond it the payload crosses once for each group.
    constexpr size_t kMostIds = 8192;
    for (; count > kMostIds && !EG(exception); ids += kMostIds, count -= kMostIds)
        send_group(worker, ids, kMostIds, data, binary, failed);
    if (EG(exception)) return;
    const Delivery delivery =
        submit(worker, {.what = command::SendMany{{ids, count}, binary}, .payload = data});
    if (EG(exception) || (delivery != Delivery::kDropped && delivery != Delivery::kClosed)) return;
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
namespace command = sluice::command;
using sluice::ConnectionId;
using sluice::TopicMatch;

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
    const sluice::Delivery delivery = send_message(
        *worker,
        {.what = command::Send{binary}, .connection = connection_id(ZEND_THIS), .payload = view(data)});
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
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

    // Group the ids by reactor (counting sort); skip closed connections, and put slow clients last.
    array_init(return_value);
    size_t ends[sluice::kMaxReactors] = {};
    auto* open =
        static_cast<ConnectionId*>(safe_emalloc(zend_hash_num_elements(list) + 1, sizeof(ConnectionId), 0));
    auto* grouped =
        static_cast<ConnectionId*>(safe_emalloc(zend_hash_num_elements(list) + 1, sizeof(ConnectionId), 0));
    size_t count = 0, behind = 0;
    ZEND_HASH_FOREACH_VAL(list, item) {
        ZVAL_DEREF(item);
        const auto id = static_cast<ConnectionId>(Z_LVAL_P(item));
        if (Z_LVAL_P(item) <= 0 || !worker->port->is_open(id)) {
            report(return_value, Z_LVAL_P(item), sluice::Delivery::kClosed);
        } else if (is_behind(*worker, id, ZSTR_LEN(data))) {
            // Slow clients fill the array from its end, which the others do not reach.
            grouped[zend_hash_num_elements(list) - ++behind] = id;
        } else {
            open[count++] = id;
            ++ends[sluice::reactor_of(id)];
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
        if (size && !EG(exception))
            send_group(*worker, grouped + begins[reactor], size, view(data), binary, return_value);
    }
    for (size_t index = zend_hash_num_elements(list); behind > 0 && !EG(exception); --behind) {
        const ConnectionId id = grouped[--index];
        const sluice::Delivery delivery =
            send_message(*worker, {.what = command::Send{binary}, .connection = id, .payload = view(data)});
        if (delivery == sluice::Delivery::kDropped || delivery == sluice::Delivery::kClosed)
            report(return_value, static_cast<zend_long>(id), delivery);
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
    return_submitted(
        return_value, *worker,
        {.what = command::Ping{}, .connection = connection_id(ZEND_THIS), .payload = view(data)});
}

ZEND_METHOD(Sluice_WebSocket_Connection, roundTripSeconds) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const uint32_t microseconds = worker->port->round_trip_us(connection_id(ZEND_THIS));
    if (microseconds == 0) RETURN_NULL();
    RETURN_DOUBLE(microseconds / 1e6);
}

ZEND_METHOD(Sluice_WebSocket_Connection, parameter) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    RoutePath at;
    if (find_path(*worker, connection_id(ZEND_THIS), at)) {
        return_route_parameter(return_value, at.pattern, {at.path, at.bytes}, name);
    } else if (worker->port->is_open(connection_id(ZEND_THIS))) {
        return_route_parameter(return_value, {}, {}, name);
    } else {
        RETURN_EMPTY_STRING();
    }
}

ZEND_METHOD(Sluice_WebSocket_Connection, parameters) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    RoutePath at;
    find_path(*worker, connection_id(ZEND_THIS), at);
    return_route_parameters(return_value, at.pattern, {at.path, at.bytes});
}

ZEND_METHOD(Sluice_WebSocket_Connection, protocol) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const uint32_t number = worker->port->protocol_number(connection_id(ZEND_THIS));
    for (const sluice::EndpointSpec& endpoint : worker->config->endpoints)
        for (const std::string& protocol : endpoint.websocket.protocols)
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
    return_submitted(return_value, *worker,
                     {.what = command::Close{static_cast<uint16_t>(code)},
                      .connection = connection_id(ZEND_THIS),
                      .payload = view(reason)});
}

ZEND_METHOD(Sluice_WebSocket_Connection, subscribe) {
    change_subscription<command::Subscribe>(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}
ZEND_METHOD(Sluice_WebSocket_Connection, unsubscribe) {
    change_subscription<command::Unsubscribe>(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}
ZEND_METHOD(Sluice_WebSocket_Connection, subscribePrefix) {
    change_subscription<command::Subscribe>(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}
ZEND_METHOD(Sluice_WebSocket_Connection, unsubscribePrefix) {
    change_subscription<command::Unsubscribe>(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Sluice_WebSocket_Connection, topics) {
    return_subscriptions(INTERNAL_FUNCTION_PARAM_PASSTHRU, TopicMatch::kExact);
}
ZEND_METHOD(Sluice_WebSocket_Connection, prefixes) {
    return_subscriptions(INTERNAL_FUNCTION_PARAM_PASSTHRU, TopicMatch::kPrefix);
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

ZEND_METHOD(Sluice_WebSocket_Connection, attach) {
    attach_data(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Sluice_WebSocket_Connection, data) {
    return_data(INTERNAL_FUNCTION_PARAM_PASSTHRU);
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
