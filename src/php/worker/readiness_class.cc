#include "php/worker/readiness_class.h"

#include <algorithm>

#include "core/clock.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "server/seam/readiness_cells.h"

namespace sluice::php {

namespace {

/// The most bytes of a text of UTF-8 that end with a whole character.
std::string_view whole_characters(std::string_view text, size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80)
        --most;
    return text.substr(0, most);
}

}  // namespace

void init_readiness_class(zend_class_entry* class_entry) {
    static zend_object_handlers handlers;
    struct ReadinessObject {
        zend_object object;
    };
    init_handlers<ReadinessObject>(handlers, zend_object_std_dtor);
    class_entry->create_object = [](zend_class_entry* entry) {
        return &new_embedded<ReadinessObject>(entry, handlers)->object;
    };
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Internal_Readiness, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Internal_Readiness, tell) {
    using Found = sluice::ReadinessCell::Found;
    zend_long index;
    zend_string *name, *reason;
    bool ready, nothing = false;
    double seconds;
    ZEND_PARSE_PARAMETERS_START(5, 5)
    Z_PARAM_LONG(index)
    Z_PARAM_STR(name)
    Z_PARAM_BOOL_OR_NULL(ready, nothing)
    Z_PARAM_STR(reason)
    Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    Worker* const worker = require_worker();
    if (!worker || !worker->port->layout()) return;
    const auto found = nothing ? Found::kNothing : ready ? Found::kReady : Found::kNotReady;
    sluice::ReadinessCells(*worker->port->layout())
        .note(worker->identity.generation, static_cast<size_t>(index), view(name), found,
              whole_characters(view(reason), sluice::ReadinessCell::kMostReason),
              sluice::monotonic_ms() + static_cast<uint64_t>(seconds * 1000));
}

ZEND_METHOD(Sluice_Internal_Readiness, holdsFor) {
    zend_long index;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(index)
    ZEND_PARSE_PARAMETERS_END();
    Worker* const worker = require_worker();
    if (!worker) RETURN_THROWS();
    if (!worker->port->layout()) RETURN_DOUBLE(0);
    RETURN_DOUBLE(static_cast<double>(sluice::ReadinessCells(*worker->port->layout())
                                          .holds_ms(worker->identity.generation, static_cast<size_t>(index),
                                                    sluice::monotonic_ms())) /
                  1000);
}
