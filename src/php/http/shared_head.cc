#include "php/http/shared_head.h"

#include <cstring>

namespace sluice::php {

SharedHead* copy_head(const inbound::Head& head) {
    const size_t field_bytes = head.fields.size_bytes();
    SharedHead* copy = static_cast<SharedHead*>(emalloc(sizeof(SharedHead) + field_bytes + head.text.size()));
    copy->head = *head.parsed;
    copy->head.field_count = static_cast<uint16_t>(head.fields.size());
    copy->references = 1;
    char* rest = reinterpret_cast<char*>(copy + 1);
    if (field_bytes) memcpy(rest, head.fields.data(), field_bytes);
    if (!head.text.empty()) memcpy(rest + field_bytes, head.text.data(), head.text.size());
    return copy;
}

void release_head(SharedHead* head) {
    if (--head->references == 0) efree(head);
}

}  // namespace sluice::php
