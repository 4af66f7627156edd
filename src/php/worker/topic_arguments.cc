#include "php/worker/topic_arguments.h"

#include "server/seam/topic.h"

namespace sluice::php {

bool check_topic(zend_string* topic, uint32_t number) {
    if (ZSTR_LEN(topic) >= 1 && ZSTR_LEN(topic) <= kMaxTopicBytes) return true;
    zend_argument_value_error(number, "must be between 1 and %d bytes long, %zu given",
                              static_cast<int>(kMaxTopicBytes), ZSTR_LEN(topic));
    return false;
}

bool check_prefix(zend_string* prefix, uint32_t number) {
    if (ZSTR_LEN(prefix) <= kMaxTopicBytes) return true;
    zend_argument_value_error(number, "must be at most %d bytes long, %zu given",
                              static_cast<int>(kMaxTopicBytes), ZSTR_LEN(prefix));
    return false;
}

}  // namespace sluice::php
