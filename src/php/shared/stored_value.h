#pragma once

#include "php/zend/php_api.h"
#include "shared/shared_map.h"

namespace sluice::php {

/// A PHP value in the form that a SharedMap keeps. A plain value: release() it.
struct StoredValue {
    SharedValue value;
    zend_string* serialized;  ///< nullptr: `value` needs none
};

/// False: an exception is set. A string's bytes are borrowed from `from`.
bool store(zval* from, StoredValue& to);
void release(StoredValue& stored);
/// `bytes` must not change while PHP code runs. False: an exception is set.
bool restore(const SharedMap::Found& found, std::string_view bytes, zval* to);

}  // namespace sluice::php
