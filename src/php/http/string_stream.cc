#include "php/http/string_stream.h"

#include <algorithm>
#include <cstring>
#include <sys/stat.h>

namespace sluice::php {

namespace {

struct StringStream {
    zend_string* text;
    size_t begin;
    size_t size;
    size_t position;
};

StringStream* state_of(php_stream* stream) {
    return static_cast<StringStream*>(stream->abstract);
}

ssize_t write_nothing(php_stream*, const char*, size_t) {
    return -1;
}

ssize_t read_some(php_stream* stream, char* buffer, size_t size) {
    StringStream* self = state_of(stream);
    const size_t taken = std::min(size, self->size - self->position);
    if (taken) memcpy(buffer, ZSTR_VAL(self->text) + self->begin + self->position, taken);
    self->position += taken;
    stream->eof = self->position == self->size;
    return static_cast<ssize_t>(taken);
}

int close_stream(php_stream* stream, int) {
    StringStream* self = state_of(stream);
    zend_string_release(self->text);
    efree(self);
    return 0;
}

int flush_nothing(php_stream*) {
    return 0;
}

int seek(php_stream* stream, zend_off_t offset, int whence, zend_off_t* position) {
    StringStream* self = state_of(stream);
    const zend_off_t size = static_cast<zend_off_t>(self->size);
    const zend_off_t base = whence == SEEK_END   ? size
                            : whence == SEEK_CUR ? static_cast<zend_off_t>(self->position)
                                                 : 0;
    if (offset < -base || offset > size - base) {
        *position = static_cast<zend_off_t>(self->position);
        return -1;
    }
    self->position = static_cast<size_t>(base + offset);
    stream->eof = 0;
    *position = base + offset;
    return 0;
}

int stat_stream(php_stream* stream, php_stream_statbuf* result) {
    memset(result, 0, sizeof *result);
    result->sb.st_mode = S_IFREG | 0444;
    result->sb.st_size = static_cast<off_t>(state_of(stream)->size);
    return 0;
}

const php_stream_ops kOperations = {
    write_nothing, read_some, close_stream, flush_nothing, "string", seek, nullptr, stat_stream, nullptr,
};

}  // namespace

php_stream* open_string_stream(zend_string* text, size_t begin, size_t size) {
    StringStream* self = static_cast<StringStream*>(emalloc(sizeof(StringStream)));
    *self = {zend_string_copy(text), begin, size, 0};
    return php_stream_alloc(&kOperations, self, nullptr, "rb");
}

}  // namespace sluice::php
