#include "php/worker/worker_class.h"

#include <unistd.h>

#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_class_entry* worker_class;
zend_object_handlers handlers;
zend_object* object = nullptr;  ///< set once requested; one reference

struct WorkerObject {
    zend_object object;
};

zend_object* create_worker(zend_class_entry* class_entry) {
    return &new_embedded<WorkerObject>(class_entry, handlers)->object;
}

}  // namespace

void init_worker_class(zend_class_entry* class_entry) {
    worker_class = class_entry;
    class_entry->create_object = create_worker;
    init_handlers<WorkerObject>(handlers, zend_object_std_dtor);
}

zend_object* worker_object(Worker& worker) {
    if (!object) {
        object = create_worker(worker_class);
        init_property(object, 0, static_cast<zend_long>(worker.identity.id));
        init_property(object, 1, static_cast<zend_long>(getpid()));
        init_property(object, 2, static_cast<zend_long>(worker.identity.generation));
    }
    return object;
}

void release_worker_object() {
    if (!object) return;
    zend_object* const released = object;
    object = nullptr;
    OBJ_RELEASE(released);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Worker, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Worker, current) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = current_worker();
    if (!worker || worker->identity.service >= 0) RETURN_NULL();
    RETURN_OBJ_COPY(worker_object(*worker));
}

ZEND_METHOD(Sluice_Worker, isStopping) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = current_worker();
    RETURN_BOOL(worker && worker->port->leaving());
}

ZEND_METHOD(Sluice_Worker, replace) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    worker->asks_for_successor = true;
}

ZEND_METHOD(Sluice_Worker, waitForEnd) {
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (!timeout.check(1)) RETURN_THROWS();
    Worker* const worker = require_worker();
    Coroutine* const self = worker ? require_coroutine() : nullptr;
    if (!self) RETURN_THROWS();
    if (worker->port->leaving()) RETURN_TRUE;
    Waiter waiter{self};
    if (worker->until_end.wait(waiter, timeout.due_ms()) == Wake::kInterrupted) RETURN_THROWS();
    RETURN_BOOL(waiter.served);
}

ZEND_METHOD(Sluice_Worker, lentBytes) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = current_worker();
    RETURN_LONG(worker ? static_cast<zend_long>(worker->strings.lent_bytes()) : 0);
}
