#include "php/websocket/websocket_arguments.h"

#include "core/utf8.h"
#include "php/worker/sending.h"
#include "php/worker/topic_arguments.h"
#include "php/worker/worker.h"
#include "protocol/websocket/websocket_frame.h"

namespace sluice::php {

bool check_message(zend_string* data, bool binary, uint32_t number) {
    if (binary || (GC_FLAGS(data) & IS_STR_VALID_UTF8) || is_utf8(view(data))) return true;
    zend_argument_value_error(number, "must be UTF-8 unless $binary is true");
    return false;
}

bool check_close(zend_long code, zend_string* reason) {
    const uint16_t number = code >= 0 && code <= UINT16_MAX ? static_cast<uint16_t>(code) : 0;
    if (!websocket::check_close(number, {}).empty()) {
        zend_argument_value_error(
            1, "must be 1000 to 1003, 1007 to 1009, 1011 to 1014 or 3000 to 4999, " ZEND_LONG_FMT " given",
            code);
        return false;
    }
    if (ZSTR_LEN(reason) > websocket::kMaxCloseReasonBytes) {
        zend_argument_value_error(2, "must be at most %d bytes long, %zu given",
                                  static_cast<int>(websocket::kMaxCloseReasonBytes), ZSTR_LEN(reason));
        return false;
    }
    if (!is_utf8(view(reason))) {
        zend_argument_value_error(2, "must be UTF-8");
        return false;
    }
    return true;
}

void publish(zend_string* topic, zend_string* data, bool binary, ConnectionId except) {
    if (!check_topic(topic, 1) || !check_message(data, binary, 2)) return;
    Worker* worker = require_worker();
    if (!worker) return;
    submit(*worker, {.what = command::Publish{view(topic), except, binary}, .payload = view(data)});
}

}  // namespace sluice::php
