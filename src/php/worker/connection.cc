#include "php/worker/connection.h"

#include "php/coroutine/deadlines.h"
#include "php/worker/ask_reactors.h"
#include "php/worker/delivery.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "server/config/limits.h"

namespace sluice::php {

void return_is_open(INTERNAL_FUNCTION_PARAMETERS) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    RETURN_BOOL(worker->port->is_open(connection_id(ZEND_THIS)));
}

void return_queued_bytes(INTERNAL_FUNCTION_PARAMETERS) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    RETURN_LONG(static_cast<zend_long>(worker->port->queued_bytes(connection_id(ZEND_THIS))));
}

void return_peer(INTERNAL_FUNCTION_PARAMETERS) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const Sentence peer{worker->port->peer(connection_id(ZEND_THIS)).to_peer_string()};
    RETURN_VIEW(peer.view());
}

bool check_attachment(const Worker& worker, const zend_string* data, uint32_t argument) {
    const uint32_t most_bytes = worker.port->limits().attached_bytes;
    if (ZSTR_LEN(data) <= most_bytes) return true;
    zend_argument_value_error(argument, "must be at most %u bytes long (Limits::$attachedBytes), %zu given",
                              most_bytes, ZSTR_LEN(data));
    return false;
}

zend_string* attached_data(const Worker& worker, ConnectionId id) {
    for (;;) {
        const Attached found = worker.port->find_attached(id);
        if (found.bytes() == 0) return ZSTR_EMPTY_ALLOC();
        zend_string* data = zend_string_alloc(found.bytes(), 0);
        if (worker.port->read_attached(id, found, ZSTR_VAL(data))) {
            ZSTR_VAL(data)[found.bytes()] = '\0';
            return data;
        }
        zend_string_efree(data);
    }
}

void return_data(INTERNAL_FUNCTION_PARAMETERS) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    RETURN_STR(attached_data(*worker, connection_id(ZEND_THIS)));
}

void attach_data(INTERNAL_FUNCTION_PARAMETERS) {
    zend_string* data;
    double timeout_seconds = 5;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(data)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE(timeout_seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(timeout_seconds, 0, 2)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker || !check_attachment(*worker, data, 1)) RETURN_THROWS();
    Delivery delivery = Delivery::kClosed;
    if (!ask_attach(*worker, connection_id(ZEND_THIS), view(data), timeout_seconds, delivery))
        RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

}  // namespace sluice::php
