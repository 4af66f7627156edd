#pragma once

#include <span>

#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

/// A request's head, copied out of the message in one piece: this, its fields, its text. The Request and the
/// Response share it, each with a reference, so that a response that is kept does not keep the body.
struct SharedHead {
    http::RequestHead head;
    uint32_t references;

    std::span<const http::Field> fields() const {
        return {reinterpret_cast<const http::Field*>(this + 1), head.field_count};
    }
    const char* text() const { return reinterpret_cast<const char*>(fields().data() + head.field_count); }
    std::string_view in(http::Span16 span) const { return span.in(text()); }
};

/// With one reference, the caller's.
SharedHead* copy_head(const inbound::Head& head);
void release_head(SharedHead* head);

}  // namespace sluice::php
