#pragma once

#include "php/zend/php_api.h"
#include "protocol/framing/tcp_framing.h"

namespace sluice::php {

extern zend_class_entry* framing_class;
/// Sluice\Tcp\ByteOrder
extern zend_class_entry* byte_order_class;
void init_framing_class(zend_class_entry* class_entry);

const tcp::Framing& framing_of(zend_object* object);

}  // namespace sluice::php
