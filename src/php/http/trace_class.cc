#include "php/http/trace_class.h"

#include <optional>
#include <unistd.h>

#include "core/log.h"
#include "php/coroutine/current_trace.h"
#include "php/http/request_object.h"
#include "php/http/trace_object.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/trace_context.h"
#include "server/config/config.h"

namespace sluice::php {

namespace {

zend_class_entry* trace_class;
zend_object_handlers handlers;

void free_trace(zend_object* object) {
    TraceObject* self = embedded<TraceObject>(object);
    if (self->head) release_head(self->head);
    delete self->timeline;
    zend_object_std_dtor(object);
}

zend_object* create_trace(zend_class_entry* class_entry) {
    return &new_embedded<TraceObject>(class_entry, handlers)->object;
}

/// The value of a field to pass on; empty: none. A trace that begins here has no state (§3.2.2).
zend_string* state_of(const TraceObject& self) {
    if (self.parent_span == 0) return ZSTR_EMPTY_ALLOC();
    return new_string(http::trace_state(self.head->fields(), self.head->text()));
}
zend_string* baggage_of(const TraceObject& self) {
    return new_string(http::baggage(self.head->fields(), self.head->text()));
}
zend_string* parent_of(const TraceObject& self) {
    std::string value;
    http::append_traceparent(value, self.ids, self.flags);
    return new_string(value);
}

void add_unless_empty(zval* array, std::string_view name, zend_string* value) {
    zval text;
    ZVAL_STR(&text, value);
    if (ZSTR_LEN(value) == 0) {
        zend_string_release(value);
    } else {
        zend_hash_str_update(Z_ARR_P(array), name.data(), name.size(), &text);
    }
}

/// Whether the server has a sampler.
bool is_tracing() {
    const Worker* const worker = current_worker();
    return worker && !worker->config->tracing.endpoint.empty();
}

/// The ids of the running code, for the log. Other threads work for no request.
bool ids_of_running(TraceIds& ids) {
    if (!current_worker() || gettid() != getpid() || CG(unclean_shutdown)) return false;
    const zend_object* const trace = current_trace();
    if (!trace) return false;
    ids = embedded<TraceObject>(const_cast<zend_object*>(trace))->ids;
    return true;
}

}  // namespace

void init_trace_class(zend_class_entry* class_entry) {
    trace_class = class_entry;
    class_entry->create_object = create_trace;
    init_handlers<TraceObject>(handlers, free_trace);
}

zend_object* new_trace(const RequestObject& request) {
    TraceObject* self = new_embedded<TraceObject>(trace_class, handlers);
    self->head = request.head;
    ++request.head->references;
    const auto parent = http::find_traceparent(request.head->fields(), request.head->text());
    const Worker* const worker = current_worker();
    self->ids = http::ids_of_request(worker ? worker->port->trace_key() : TraceKey{}, request.connection,
                                     request.number, parent);
    if (parent) {
        self->parent_span = parent->ids.span;
        self->flags = parent->flags;
    }
    if (is_tracing()) {
        constexpr uint8_t kSampled = http::TraceParent::kSampled;
        const bool is_sampled = worker->config->tracing.samples(self->ids.low, http::decision_of(parent));
        self->flags = static_cast<uint8_t>((self->flags & ~kSampled) | (is_sampled ? kSampled : 0));
    }
    return &self->object;
}

void log_traces() {
    log::name_traces_by(ids_of_running);
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_Trace, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Http_Trace, current) {
    ZEND_PARSE_PARAMETERS_NONE();
    zend_object* const trace = current_trace();
    if (!trace) RETURN_NULL();
    RETURN_OBJ_COPY(trace);
}

ZEND_METHOD(Sluice_Http_Trace, traceId) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_VIEW(sluice::TraceText(embedded<TraceObject>(ZEND_THIS)->ids).trace());
}

ZEND_METHOD(Sluice_Http_Trace, spanId) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_VIEW(sluice::TraceText(embedded<TraceObject>(ZEND_THIS)->ids).span());
}

ZEND_METHOD(Sluice_Http_Trace, parentSpanId) {
    ZEND_PARSE_PARAMETERS_NONE();
    const uint64_t span = embedded<TraceObject>(ZEND_THIS)->parent_span;
    if (span == 0) RETURN_NULL();
    RETURN_VIEW(sluice::TraceText({.high = 0, .low = 0, .span = span}).span());
}

ZEND_METHOD(Sluice_Http_Trace, isSampled) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<TraceObject>(ZEND_THIS)->flags & http::TraceParent::kSampled);
}

ZEND_METHOD(Sluice_Http_Trace, isDecided) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<TraceObject>(ZEND_THIS)->parent_span != 0 || is_tracing());
}

ZEND_METHOD(Sluice_Http_Trace, state) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_STR(state_of(*embedded<TraceObject>(ZEND_THIS)));
}

ZEND_METHOD(Sluice_Http_Trace, baggage) {
    ZEND_PARSE_PARAMETERS_NONE();
    const TraceObject& self = *embedded<TraceObject>(ZEND_THIS);
    array_init(return_value);
    const auto members = http::read_baggage(http::baggage(self.head->fields(), self.head->text()));
    for (const auto& [name, value] : members) {
        zval text;
        ZVAL_STR(&text, new_string(value));
        zend_symtable_str_update(Z_ARR_P(return_value), name.data(), name.size(), &text);
    }
}

ZEND_METHOD(Sluice_Http_Trace, headers) {
    ZEND_PARSE_PARAMETERS_NONE();
    const TraceObject& self = *embedded<TraceObject>(ZEND_THIS);
    array_init(return_value);
    add_unless_empty(return_value, "traceparent", parent_of(self));
    add_unless_empty(return_value, "tracestate", state_of(self));
    add_unless_empty(return_value, "baggage", baggage_of(self));
}
