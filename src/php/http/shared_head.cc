#include "php/http/shared_head.h"

#include <cstring>

namespace sluice::php {

SharedHead* copy_head(const Inbound& message) {
    const size_t field_bytes = message.fields.size() * sizeof(http::Field);
    SharedHead* copy =
        static_cast<SharedHead*>(emalloc(sizeof(SharedHead) + field_bytes + message.head_text.size()));
    copy->head = *message.head;
    copy->head.field_count = static_cast<uint16_t>(message.fields.size());
    copy->references = 1;
    char* rest = reinterpret_cast<char*>(copy + 1);
    if (field_bytes) memcpy(rest, message.fields.data(), field_bytes);
    if (!message.head_text.empty())
        memcpy(rest + field_bytes, message.head_text.data(), message.head_text.size());
    return copy;
}

void release_head(SharedHead* head) {
    if (--head->references == 0) efree(head);
}

}  // namespace sluice::php
