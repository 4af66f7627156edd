#include "server/seam/payload.h"

#include <cstring>

namespace sluice {

Ref<HeapPayload> HeapPayload::copy_of(std::string_view head, std::string_view body) {
    Ref<HeapPayload> payload = create(head.size() + body.size());
    // An empty view may be a null pointer, which memcpy() does not allow.
    if (!head.empty()) memcpy(payload->buffer(), head.data(), head.size());
    if (!body.empty()) memcpy(payload->buffer() + head.size(), body.data(), body.size());
    return payload;
}

}  // namespace sluice
