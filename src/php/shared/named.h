#pragma once

#include <span>

#include "php/zend/php_api.h"

namespace sluice::php {

struct NamedMemory {
    std::span<char> memory;  ///< empty: an exception is set
    bool is_new = false;     ///< zeroed, and to be made what `shape` says
};

/// The memory of this name for the constructor that is running, whose first argument `name` is. `shape` says
/// what is in it, as a noun with its article.
NamedMemory open_named(const zend_string* name, const char* shape, size_t bytes);

}  // namespace sluice::php
