#include "php/worker/server_setup.h"

namespace sluice::php {

void release_handlers(ServerSetup& setup) {
    while (!setup.handlers.empty()) {
        Handler handler = setup.handlers.back();
        setup.handlers.pop_back();
        release_handler(handler);
    }
    release_callback(setup.leak_detector);
    for (std::vector<Callback>* list :
         {&setup.services, &setup.on_worker_start, &setup.own_starts, &setup.own_ends, &setup.on_worker_stop,
          &setup.observers.on_error, &setup.observers.on_request, &setup.observers.on_response}) {
        while (!list->empty()) {
            Callback callback = list->back();
            list->pop_back();
            release_callback(callback);
        }
    }
}

void add_references(const ServerSetup& setup, zend_get_gc_buffer* buffer) {
    const auto add = [buffer](const zval& value) {
        zend_get_gc_buffer_add_zval(buffer, const_cast<zval*>(&value));
    };
    add(setup.leak_detector.callable);
    for (const Handler& handler : setup.handlers) {
        add(handler.target);
        add(handler.message.callable);
        add(handler.handshake.callable);
    }
    for (const std::vector<Callback>* list :
         {&setup.services, &setup.on_worker_start, &setup.own_starts, &setup.own_ends, &setup.on_worker_stop,
          &setup.observers.on_error, &setup.observers.on_request, &setup.observers.on_response}) {
        for (const Callback& callback : *list)
            add(callback.callable);
    }
}

}  // namespace sluice::php
