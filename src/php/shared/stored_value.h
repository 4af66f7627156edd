#pragma once

#include "php/zend/php_api.h"
#include "shared/shared_map.h"

namespace sluice::php {

/// A PHP value in the form that a SharedMap keeps. A plain value: release() it.
struct StoredValue {
    SharedValue value;
    zend_string* serialized;  ///< nullptr: `value` needs none
};

/// False: an exception is set. A string's bytes stay `from`'s.
bool store(zval* from, StoredValue& to);
void release(StoredValue& stored);
/// `bytes` belong to nobody who may be called. False: an exception is set.
bool restore(const SharedMap::Found& found, std::string_view bytes, zval* to);

}  // namespace sluice::php
