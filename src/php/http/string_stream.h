#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// A read-only, seekable stream over a part of a string, which it takes a reference to instead of a copy.
php_stream* open_string_stream(zend_string* text, size_t begin, size_t size);

}  // namespace sluice::php
