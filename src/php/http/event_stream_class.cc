#include "php/http/event_stream_class.h"

#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/worker/delivery.h"
#include "php/worker/sending.h"
#include "php/worker/topic_arguments.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/event_stream.h"

namespace sluice::php {

namespace {

zend_class_entry* event_stream_class;
zend_object_handlers handlers;

struct EventStreamObject {
    zend_object* response;
    zend_object object;
};

void free_event_stream(zend_object* object) {
    EventStreamObject* self = embedded<EventStreamObject>(object);
    if (self->response) OBJ_RELEASE(self->response);
    zend_object_std_dtor(object);
}

zend_object* create_event_stream(zend_class_entry* class_entry) {
    return &new_embedded<EventStreamObject>(class_entry, handlers)->object;
}

/// nullptr when it has thrown: ended.
ResponseObject* response_of(zval* this_value) {
    return unfinished(embedded<EventStreamObject>(this_value)->response);
}

bool check_line(uint32_t number, const zend_string* text) {
    if (!text || http::is_event_line(view(text))) return true;
    zend_argument_value_error(number, "must not hold CR, LF or NUL");
    return false;
}

/// The first of them hands the response over to the reactor; a later one may find no room. Afterwards the
/// response is finished, unless the first one was dropped.
Delivery subscribe(ResponseObject* response, Worker& worker, const zval* topics, uint32_t count) {
    Delivery delivery = Delivery::kSent;
    for (uint32_t i = 0; i < count; ++i) {
        const command::Subscribe wish{.topic = view(Z_STR(topics[i])), .request = response->request};
        delivery = submit(worker, {.what = wish, .connection = response->connection});
        if (EG(exception) || !response->open || response->abandoned) return Delivery::kClosed;
        if (delivery == Delivery::kDropped && i == 0) return delivery;
        if (delivery == Delivery::kClosed || delivery == Delivery::kDropped) break;
    }
    mark_ended(response, worker);
    return delivery;
}

}  // namespace

void init_event_stream_class(zend_class_entry* class_entry) {
    event_stream_class = class_entry;
    class_entry->create_object = create_event_stream;
    init_handlers<EventStreamObject>(handlers, free_event_stream);
}

zend_object* new_event_stream(zend_object* response) {
    EventStreamObject* self = new_embedded<EventStreamObject>(event_stream_class, handlers);
    GC_ADDREF(response);
    self->response = response;
    return &self->object;
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_EventStream, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Http_EventStream, send) {
    zend_string *data, *type = zend_empty_string, *id = nullptr;
    zend_long retry_ms = 0;
    bool no_retry = true;
    ZEND_PARSE_PARAMETERS_START(1, 4)
    Z_PARAM_STR(data)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(type)
    Z_PARAM_STR_OR_NULL(id)
    Z_PARAM_LONG_OR_NULL(retry_ms, no_retry)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* response = response_of(ZEND_THIS);
    if (!response || !check_line(2, type) || !check_line(3, id)) RETURN_THROWS();
    if (retry_ms < 0 || retry_ms > UINT32_MAX) {
        zend_argument_value_error(4, "must be between 0 and 4294967295 milliseconds, " ZEND_LONG_FMT " given",
                                  retry_ms);
        RETURN_THROWS();
    }
    http::StreamEvent event;
    event.data = view(data);
    event.type = view(type);
    if (id) event.id = view(id);
    if (!no_retry) event.retry_ms = static_cast<uint32_t>(retry_ms);
    zend_string* text = zend_string_alloc(http::event_bound(event), false);
    const size_t size = http::write_event(event, ZSTR_VAL(text));
    const sluice::Delivery delivery = write_part(response, {ZSTR_VAL(text), size});
    zend_string_efree(text);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

ZEND_METHOD(Sluice_Http_EventStream, comment) {
    zend_string* comment = zend_empty_string;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(comment)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* response = response_of(ZEND_THIS);
    if (!response) RETURN_THROWS();
    zend_string* text = zend_string_alloc(http::comment_bound(view(comment)), false);
    const size_t size = http::write_comment(view(comment), ZSTR_VAL(text));
    const sluice::Delivery delivery = write_part(response, {ZSTR_VAL(text), size});
    zend_string_efree(text);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

ZEND_METHOD(Sluice_Http_EventStream, end) {
    ZEND_PARSE_PARAMETERS_NONE();
    ResponseObject* response = response_of(ZEND_THIS);
    if (!response) RETURN_THROWS();
    finish(return_value, response, {}, nullptr);
}

ZEND_METHOD(Sluice_Http_EventStream, subscribe) {
    zval* topics;
    uint32_t count;
    ZEND_PARSE_PARAMETERS_START(1, -1)
    Z_PARAM_VARIADIC('+', topics, count)
    ZEND_PARSE_PARAMETERS_END();

    for (uint32_t i = 0; i < count; ++i) {
        zend_string* topic;
        if (!zend_parse_arg_str(&topics[i], &topic, false, i + 1)) {
            zend_argument_type_error(i + 1, "must be of type string, %s given",
                                     zend_zval_type_name(&topics[i]));
            RETURN_THROWS();
        }
        if (!check_topic(topic, i + 1)) RETURN_THROWS();
    }
    ResponseObject* response = response_of(ZEND_THIS);
    if (!response) RETURN_THROWS();
    if (response->is_encoded) {
        throw_server_exception(
            "A compressed response cannot be handed over: call withoutCompression() before events()");
        RETURN_THROWS();
    }
    if (response->to_head_request) {
        finish(return_value, response, {}, nullptr);
        return;
    }
    Worker& worker = *current_worker();
    const sluice::Delivery delivery = subscribe(response, worker, topics, count);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}
