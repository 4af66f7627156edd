#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Output buffers that code has left open are ended here as at the end of PHP's request: in order, the
// innermost first, whether or not code may remove them (`ob_start($callback, 0, 0)`, ob_gzhandler() once it
// has begun). PHP's php_output_end() refuses those, and php_output_end_all() would end buffers of others as
// well.

/// Ends the buffers within `outer`, the innermost one that stays; nullptr: all. Their callbacks get what is
/// in them, with PHP_OUTPUT_HANDLER_FINAL, and the next buffer gets what they return. An exception of a
/// callback is set afterwards, and no further callback is called. Within `outer` the rest is still open then:
/// drop it. Where there is no outer one, PHP has ended it, as it does at the end of its request.
void end_output_buffers(const php_output_handler* outer);

/// Frees the buffers within `outer` with what is in them. Callbacks of PHP code are not called; an exception
/// may be set.
void drop_output_buffers(const php_output_handler* outer);

/// Ends what a handler or a task has left open, which has returned or thrown: its exception stays set, and an
/// exception of a callback is set when there was none. After exit() PHP ends them, with the process.
void end_output_left(const php_output_handler* outer);

/// Whether the buffer is still open.
bool is_output_buffer(const php_output_handler* buffer);

}  // namespace sluice::php
