#pragma once

#include "php/zend/php_api.h"
#include "server/seam/messages.h"

namespace sluice::php {

/// Sluice\Delivery: what has become of something that was sent.
extern zend_class_entry* delivery_class;

/// The enum's case, borrowed.
zend_object* delivery_case(Delivery delivery);

/// The cases are looked up once per run of a script.
void forget_delivery_cases();

}  // namespace sluice::php

#define RETURN_DELIVERY(delivery) RETURN_OBJ_COPY(::sluice::php::delivery_case(delivery))
