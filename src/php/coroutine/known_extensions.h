#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Whether it is known what the extension keeps in the process while it calls back or waits (docs/isolation.md): its
/// calls may suspend. Calls of others never do.
bool is_known(const zend_module_entry& extension);

/// For each extension that is not known.
template <typename F>
void for_each_unknown_extension(F&& f) {
    void* found;
    ZEND_HASH_FOREACH_PTR(&module_registry, found) {
        const auto& extension = *static_cast<const zend_module_entry*>(found);
        if (!is_known(extension)) f(extension);
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace sluice::php
