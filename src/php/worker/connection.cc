#include "php/worker/connection.h"

#include "php/worker/worker.h"
#include "php/zend/errors.h"

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

}  // namespace sluice::php
