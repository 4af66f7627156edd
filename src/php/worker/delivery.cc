#include "php/worker/delivery.h"

namespace sluice::php {

zend_class_entry* delivery_class = nullptr;

namespace {

constexpr const char* kNames[] = {"Sent", "Queued", "Dropped", "Closed"};
zend_object* cases[4] = {};

}  // namespace

zend_object* delivery_case(Delivery delivery) {
    zend_object*& cached = cases[static_cast<unsigned>(delivery)];
    if (!cached) cached = zend_enum_get_case_cstr(delivery_class, kNames[static_cast<unsigned>(delivery)]);
    return cached;
}

void forget_delivery_cases() {
    for (zend_object*& cached : cases)
        cached = nullptr;
}

}  // namespace sluice::php
