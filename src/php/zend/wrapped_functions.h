#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Functions and methods of PHP's own that are entered through one of ours.

/// Has calls of `function` come to `handler` instead, which calls original_of() of it. Does nothing for what
/// PHP code has defined, and for what is wrapped already.
void wrap_function(zend_function* function, zif_handler handler);
/// Before this extension is unloaded; does nothing when it is not wrapped by `handler`.
void unwrap_function(zend_function* function, zif_handler handler);
zif_handler original_of(const zend_function* function);

/// Of a class of PHP's own or of an extension; nullptr when there is none.
zend_class_entry* find_internal_class(const char* lower_name);

}  // namespace sluice::php
