#include "php/worker/pool_process_class.h"

#include "php/worker/worker.h"
#include "php/zend/objects.h"

namespace sluice::php {

void init_pool_process_class(zend_class_entry* class_entry) {
    static zend_object_handlers handlers;
    struct PoolProcessObject {
        zend_object object;
    };
    init_handlers<PoolProcessObject>(handlers, zend_object_std_dtor);
    class_entry->create_object = [](zend_class_entry* entry) {
        return &new_embedded<PoolProcessObject>(entry, handlers)->object;
    };
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Internal_PoolProcess, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Internal_PoolProcess, ready) {
    ZEND_PARSE_PARAMETERS_NONE();
    if (Worker* const worker = require_worker()) worker->port->ready();
}
