#include "php/worker/worker.h"

#include "core/clock.h"
#include "php/zend/errors.h"
#include "server/config/config.h"

namespace sluice::php {

namespace {

Worker* current = nullptr;
bool request_is_over = false;

}  // namespace

Worker::Worker(std::unique_ptr<WorkerPort> own_port, WorkerIdentity own_identity,
               const ServerConfig& whole_config)
    : port(std::move(own_port)),
      identity(std::move(own_identity)),
      config(std::make_unique<const ServerConfig>(whole_config)),
      strings(*port, config->limits.lent_bytes),
      timers(monotonic_ms()) {}

Worker::~Worker() = default;

int Worker::endpoint_index(uint16_t endpoint) const {
    if (endpoint >= identity.endpoint_index.size()) return -1;
    const int index = identity.endpoint_index[endpoint];
    return index >= 0 && static_cast<size_t>(index) < config->endpoints.size() ? index : -1;
}

Worker* current_worker() {
    return current;
}

bool serves_scripts() {
    return current && current->identity.is_script_process;
}

Worker* require_worker() {
    if (!current) {
        zend_string* method = get_active_function_or_method_name();
        throw_server_exception(
            "%s() was called outside a worker: call it in a handler, a timer or onWorkerStart()",
            ZSTR_VAL(method));
        zend_string_release(method);
    }
    return current;
}

void enter_worker(std::unique_ptr<WorkerPort> port, WorkerIdentity identity, const ServerConfig& config) {
    current = new Worker(std::move(port), std::move(identity), config);
}

void leave_worker() {
    // Its worker outlives each request of PHP.
    if (!current || current->identity.is_script_process) return;
    current->strings.sweep();
    request_is_over = current->identity.is_request_process;
    delete current;
    current = nullptr;
}

bool has_handled_its_request() {
    return request_is_over;
}

bool is_dying() {
    if (EG(exception) && zend_is_unwind_exit(EG(exception))) return true;
    if (!current) return true;
    return current->exited || (current->handlers > 0 && (EG(flags) & EG_FLAGS_IN_SHUTDOWN));
}

}  // namespace sluice::php
