#include "php/zend/part_stream.h"

#include <cstring>
#include <sys/stat.h>

namespace sluice::php {

ssize_t refuse_to_write(php_stream*, const char*, size_t) {
    return -1;
}

int flush_nothing(php_stream*) {
    return 0;
}

int seek_in_part(php_stream* stream, zend_off_t offset, int whence, zend_off_t* position) {
    StreamedPart* part = part_of(stream);
    const zend_off_t size = static_cast<zend_off_t>(part->size);
    const zend_off_t base = whence == SEEK_END   ? size
                            : whence == SEEK_CUR ? static_cast<zend_off_t>(part->position)
                                                 : 0;
    if (offset < -base || offset > size - base) {
        *position = static_cast<zend_off_t>(part->position);
        return -1;
    }
    part->position = static_cast<size_t>(base + offset);
    stream->eof = 0;
    *position = base + offset;
    return 0;
}

int stat_part(php_stream* stream, php_stream_statbuf* result) {
    memset(result, 0, sizeof *result);
    result->sb.st_mode = S_IFREG | 0444;
    result->sb.st_size = static_cast<off_t>(part_of(stream)->size);
    return 0;
}

}  // namespace sluice::php
