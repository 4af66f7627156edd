#include "php/http/response_object.h"

#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/config/limits.h"

namespace sluice::php {

void close_connection(ResponseObject* self, Worker& worker) {
    submit_surely(worker, {.what = command::Close{websocket::close_code::kInternalError},
                           .connection = self->connection});
}

ResponseObject* unfinished(zend_object* object) {
    ResponseObject* self = embedded<ResponseObject>(object);
    if (!self->open) {
        throw_server_exception("The response was ended already");
        return nullptr;
    }
    return require_worker() ? self : nullptr;
}

ResponseObject* before_head(zend_object* object) {
    ResponseObject* self = unfinished(object);
    if (self && self->head_sent) {
        throw_server_exception(
            "The head of the response was sent already: set status and fields before the first part of the "
            "body");
        return nullptr;
    }
    return self;
}

}  // namespace sluice::php
