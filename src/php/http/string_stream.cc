#include "php/http/string_stream.h"

#include <algorithm>
#include <cstring>

#include "php/zend/part_stream.h"

namespace sluice::php {

namespace {

struct StringStream {
    StreamedPart part;
    zend_string* text;
};

StringStream* state_of(php_stream* stream) {
    return static_cast<StringStream*>(stream->abstract);
}

ssize_t read_some(php_stream* stream, char* buffer, size_t size) {
    const StringStream* self = state_of(stream);
    const StreamedPart& part = self->part;
    const size_t taken = std::min(size, part.size - part.position);
    if (taken) memcpy(buffer, ZSTR_VAL(self->text) + part.begin + part.position, taken);
    advance(stream, taken);
    return static_cast<ssize_t>(taken);
}

int close_stream(php_stream* stream, int) {
    StringStream* self = state_of(stream);
    zend_string_release(self->text);
    efree(self);
    return 0;
}

const php_stream_ops kOperations = {
    refuse_to_write, read_some, close_stream, flush_nothing, "string",
    seek_in_part,    nullptr,   stat_part,    nullptr,
};

}  // namespace

php_stream* open_string_stream(zend_string* text, size_t begin, size_t size) {
    StringStream* self = static_cast<StringStream*>(emalloc(sizeof(StringStream)));
    *self = {{begin, size, 0}, zend_string_copy(text)};
    return php_stream_alloc(&kOperations, self, nullptr, "rb");
}

}  // namespace sluice::php
