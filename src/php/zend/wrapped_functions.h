#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Wraps functions and methods of PHP's own by one of ours.

/// Redirects calls of `function` to `handler`, which calls original_of(function). Does nothing for functions
/// of PHP code, and for those wrapped already.
void wrap_function(zend_function* function, zif_handler handler);
/// Before this extension is unloaded; does nothing when it is not wrapped by `handler`.
void unwrap_function(zend_function* function, zif_handler handler);
zif_handler original_of(const zend_function* function);

/// The class of PHP's own or of an extension; nullptr when there is none.
zend_class_entry* find_internal_class(const char* lower_name);

}  // namespace sluice::php
