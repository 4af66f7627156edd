#include "php/coroutine/output_buffers.h"

#include "php/zend/exceptions.h"

namespace sluice::php {

void end_output_buffers(const php_output_handler* outer) {
    if (EXPECTED(!OG(active) || OG(active) == outer)) return;
    if (!outer) return php_output_end_all();
    // PHP has no such function for some of the buffers.
    while (OG(active) && OG(active) != outer && !EG(exception)) {
        OG(active)->flags |= PHP_OUTPUT_HANDLER_REMOVABLE;
        php_output_end();
    }
}

void drop_output_buffers(const php_output_handler* outer) {
    while (OG(active) && OG(active) != outer) {
        php_output_handler& buffer = *OG(active);
        buffer.flags |= PHP_OUTPUT_HANDLER_REMOVABLE;
        // Those of extensions free there what they have allocated, as zlib does.
        if (buffer.flags & PHP_OUTPUT_HANDLER_USER) buffer.flags |= PHP_OUTPUT_HANDLER_DISABLED;
        php_output_discard();
    }
}

void end_output_left(const php_output_handler* outer) {
    if (EXPECTED(OG(active) == outer)) return;
    // It has closed the one that it was called in: those that are left are others'.
    if (outer && !is_output_buffer(outer)) return;
    if (EG(exception) && is_exit(EG(exception))) return;
    zend_object* const exception = EG(exception) ? take_exception() : nullptr;
    end_output_buffers(outer);
    if (EG(exception)) drop_output_buffers(outer);
    if (exception) put_back_exception(exception);
}

bool is_output_buffer(const php_output_handler* buffer) {
    const int count = php_output_get_level();
    const auto* const open = static_cast<php_output_handler* const*>(zend_stack_base(&OG(handlers)));
    for (int index = 0; index < count; ++index)
        if (open[index] == buffer) return true;
    return false;
}

}  // namespace sluice::php
