#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Shared by the read-only streams over a part of a string or of a file.

/// The first member of such a stream's state, which is plain memory.
struct StreamedPart {
    uint64_t begin;   ///< in the whole
    size_t size;      ///< of the part
    size_t position;  ///< in the part: what is read next
};

inline StreamedPart* part_of(php_stream* stream) {
    return static_cast<StreamedPart*>(stream->abstract);
}

/// `bytes` of the part were read; sets end-of-file at the part's end.
inline void advance(php_stream* stream, size_t bytes) {
    StreamedPart* part = part_of(stream);
    part->position += bytes;
    stream->eof = part->position == part->size;
}

// For php_stream_ops.
ssize_t refuse_to_write(php_stream* stream, const char* bytes, size_t size);
int flush_nothing(php_stream* stream);
int seek_in_part(php_stream* stream, zend_off_t offset, int whence, zend_off_t* position);
int stat_part(php_stream* stream, php_stream_statbuf* result);

}  // namespace sluice::php
