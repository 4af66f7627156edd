#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\Channel.
void init_channel_class(zend_class_entry* class_entry);

extern zend_class_entry* closed_exception_class;

}  // namespace sluice::php
