#pragma once

#include <span>

#include "php/zend/php_api.h"

namespace sluice::php {

struct NamedMemory {
    std::span<char> memory;  ///< empty: an exception is set
    bool is_new = false;     ///< zeroed, and to be made what `shape` says
};

/// Opens the memory of this name for the running constructor, whose first argument is `name`. `shape`
/// describes the content, as a noun with its article.
NamedMemory open_named(const zend_string* name, const char* shape, size_t bytes);

}  // namespace sluice::php
