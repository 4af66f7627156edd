#include "php/worker/string_allocator.h"

#include "php/zend/php_api.h"

namespace sluice::php {

bool fits_memory_limit(size_t bytes) {
    // How much the allocator may take from the system beyond the requested size.
    constexpr size_t kMargin = 4 << 20;
    const zend_long limit = PG(memory_limit);
    if (limit <= 0) return true;
    const size_t used = zend_memory_usage(true);
    return bytes + kMargin + used <= static_cast<size_t>(limit);
}

char* StringAllocator::allocate(size_t bytes) {
    if (!fits_memory_limit(bytes)) return nullptr;
    return ZSTR_VAL(zend_string_alloc(bytes, false));
}

bool StringAllocator::has_room(size_t bytes) {
    return fits_memory_limit(bytes);
}

void StringAllocator::free(char* payload) {
    efree(payload - kPayloadOffset);
}

MessageAllocator* string_allocator() {
    static StringAllocator allocator;
    return &allocator;
}

}  // namespace sluice::php
