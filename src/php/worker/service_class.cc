#include "php/worker/service_class.h"

#include <algorithm>
#include <unistd.h>

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"
#include "server/config/config.h"

namespace sluice::php {

namespace {

zend_class_entry* service_class;
zend_object_handlers handlers;
zend_object* object = nullptr;  ///< one reference; nullptr: nobody has asked for it

struct ServiceObject {
    zend_object object;
};

zend_object* create_service(zend_class_entry* class_entry) {
    return &new_embedded<ServiceObject>(class_entry, handlers)->object;
}

}  // namespace

void init_service_class(zend_class_entry* class_entry) {
    service_class = class_entry;
    class_entry->create_object = create_service;
    init_handlers<ServiceObject>(handlers, zend_object_std_dtor);
}

zend_object* service_object(Worker& worker) {
    if (!object) {
        const ServiceSpec& spec = worker.config->services[static_cast<size_t>(worker.identity.service)];
        object = create_service(service_class);
        init_property(object, 0, new_string(spec.name));
        init_property(object, 1, static_cast<zend_long>(worker.identity.id));
        init_property(object, 2, static_cast<zend_long>(getpid()));
        init_property(object, 3, static_cast<zend_long>(worker.identity.generation));
    }
    return object;
}

void release_service_object() {
    if (!object) return;
    zend_object* const released = object;
    object = nullptr;
    OBJ_RELEASE(released);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Service, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Service, current) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = current_worker();
    if (!worker || worker->identity.service < 0) RETURN_NULL();
    RETURN_OBJ_COPY(service_object(*worker));
}

ZEND_METHOD(Sluice_Service, isStopping) {
    ZEND_PARSE_PARAMETERS_NONE();
    Worker* worker = current_worker();
    RETURN_BOOL(worker && worker->port->leaving());
}

ZEND_METHOD(Sluice_Service, wait) {
    double seconds;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_seconds(seconds, 0, 1)) RETURN_THROWS();
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();
    const uint64_t due_ms = deadline_in(seconds);
    if (scheduler()) {
        Coroutine* self = require_coroutine();
        if (!self) RETURN_THROWS();
        if (worker->port->leaving()) RETURN_FALSE;
        Waiter waiter{self};
        if (worker->until_end.wait(waiter, due_ms) == Wake::kInterrupted) RETURN_THROWS();
    } else {
        for (uint64_t now_ms = sluice::monotonic_ms(); now_ms < due_ms && !worker->port->leaving();
             now_ms = sluice::monotonic_ms())
            worker->port->wait_without_messages(static_cast<int>(std::min<uint64_t>(due_ms - now_ms, 1000)));
    }
    RETURN_BOOL(!worker->port->leaving());
}
