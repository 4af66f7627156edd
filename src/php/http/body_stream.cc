#include "php/http/body_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

namespace {

constexpr size_t kCopiedAtOnce = 1u << 20;
/// Then others have their turn.
constexpr size_t kCopiedInTurn = 8u << 20;

struct BodyStream {
    BodySource* source;
    uint64_t begin;
    size_t size;
    size_t position;
};

BodyStream* state_of(php_stream* stream) {
    return static_cast<BodyStream*>(stream->abstract);
}

ssize_t write_nothing(php_stream*, const char*, size_t) {
    return -1;
}

int flush_nothing(php_stream*) {
    return 0;
}

int close_stream(php_stream* stream, int) {
    release(state_of(stream)->source);
    efree(state_of(stream));
    return 0;
}

ssize_t read_file(php_stream* stream, char* buffer, size_t size) {
    BodyStream* self = state_of(stream);
    const ssize_t got = read_body_at(self->source, self->begin + self->position, buffer,
                                     std::min(size, self->size - self->position));
    if (got > 0) self->position += static_cast<size_t>(got);
    stream->eof = got == 0 || self->position == self->size;
    return got;
}

int seek_file(php_stream* stream, zend_off_t offset, int whence, zend_off_t* position) {
    BodyStream* self = state_of(stream);
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

int stat_file(php_stream* stream, php_stream_statbuf* result) {
    memset(result, 0, sizeof *result);
    result->sb.st_mode = S_IFREG | 0444;
    result->sb.st_size = static_cast<off_t>(state_of(stream)->size);
    return 0;
}

ssize_t read_pipe(php_stream* stream, char* buffer, size_t size) {
    const ssize_t got = read_arriving(state_of(stream)->source, buffer, size);
    stream->eof = got <= 0;
    return got;
}

const php_stream_ops kFileOperations = {
    write_nothing, read_file, close_stream, flush_nothing, "body", seek_file, nullptr, stat_file, nullptr,
};
const php_stream_ops kPipeOperations = {
    write_nothing, read_pipe, close_stream, flush_nothing, "arriving body",
    nullptr,       nullptr,   nullptr,      nullptr,
};

BodyStream* new_state(BodySource* source, uint64_t begin, size_t size) {
    BodyStream* self = static_cast<BodyStream*>(emalloc(sizeof(BodyStream)));
    *self = {share(source), begin, size, 0};
    return self;
}

bool write_all(int target, const char* bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = write(target, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= static_cast<size_t>(written);
    }
    return true;
}

/// Lets others run; false when this coroutine is cancelled meanwhile.
bool give_way() {
    Coroutine* self = suspendable();
    return !self || scheduler()->suspend(*self, monotonic_ms()) != Wake::kInterrupted;
}

}  // namespace

php_stream* open_file_part_stream(BodySource* source, uint64_t begin, size_t size) {
    return php_stream_alloc(&kFileOperations, new_state(source, begin, size), nullptr, "rb");
}

php_stream* open_arriving_stream(BodySource* source) {
    php_stream* stream = php_stream_alloc(&kPipeOperations, new_state(source, 0, 0), nullptr, "rb");
    stream->flags |= PHP_STREAM_FLAG_NO_SEEK;
    return stream;
}

bool copy_file_part(const BodySource* source, uint64_t begin, size_t size, int target) {
    bool by_kernel = true;
    size_t done = 0;
    char* buffer = nullptr;
    bool fine = true;
    while (size > 0 && fine) {
        if (done >= kCopiedInTurn) {
            done = 0;
            fine = give_way();
            continue;
        }
        if (by_kernel) {
            off_t from = static_cast<off_t>(begin);
            const ssize_t copied =
                copy_file_range(source->fd, &from, target, nullptr, std::min(size, kCopiedAtOnce), 0);
            if (copied > 0) {
                begin += static_cast<uint64_t>(copied);
                size -= static_cast<size_t>(copied);
                done += static_cast<size_t>(copied);
                continue;
            }
            if (copied < 0 && errno == EINTR) continue;
            // Between file systems, or by a kernel that cannot: by hand, and what cannot be written is found
            // out there.
            by_kernel = false;
            buffer = static_cast<char*>(emalloc(kCopiedAtOnce));
        }
        const ssize_t got = read_body_at(source, begin, buffer, std::min(size, kCopiedAtOnce));
        fine = got > 0 && write_all(target, buffer, static_cast<size_t>(got));
        if (!fine) break;
        begin += static_cast<uint64_t>(got);
        size -= static_cast<size_t>(got);
        done += static_cast<size_t>(got);
    }
    if (buffer) efree(buffer);
    return fine;
}

}  // namespace sluice::php
