#include "php/http/body_stream.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/zend/part_stream.h"

namespace sluice::php {

namespace {

constexpr size_t kCopiedAtOnce = 1u << 20;
/// After this many bytes other coroutines run.
constexpr size_t kCopiedInTurn = 8u << 20;

struct BodyStream {
    StreamedPart part;  ///< of a file
    BodySource* source;
};

BodyStream* state_of(php_stream* stream) {
    return static_cast<BodyStream*>(stream->abstract);
}

int close_stream(php_stream* stream, int) {
    release(state_of(stream)->source);
    efree(state_of(stream));
    return 0;
}

ssize_t read_file(php_stream* stream, char* buffer, size_t size) {
    const BodyStream* self = state_of(stream);
    const StreamedPart& part = self->part;
    const ssize_t got = read_body_at(self->source, part.begin + part.position, buffer,
                                     std::min(size, part.size - part.position));
    if (got > 0) advance(stream, static_cast<size_t>(got));
    if (got == 0) stream->eof = 1;
    return got;
}

ssize_t read_pipe(php_stream* stream, char* buffer, size_t size) {
    const ssize_t got = read_arriving(state_of(stream)->source, buffer, size);
    stream->eof = got <= 0;
    return got;
}

const php_stream_ops kFileOperations = {
    refuse_to_write, read_file, close_stream, flush_nothing, "body",
    seek_in_part,    nullptr,   stat_part,    nullptr,
};
const php_stream_ops kPipeOperations = {
    refuse_to_write, read_pipe, close_stream, flush_nothing, "arriving body",
    nullptr,         nullptr,   nullptr,      nullptr,
};

BodyStream* new_state(BodySource* source, uint64_t begin, size_t size) {
    BodyStream* self = static_cast<BodyStream*>(emalloc(sizeof(BodyStream)));
    *self = {{begin, size, 0}, share(source)};
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
    // A BodySource has a buffer of its own, which long reads need not pass.
    stream->flags |= PHP_STREAM_FLAG_NO_SEEK | PHP_STREAM_FLAG_NO_BUFFER;
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
            // Between file systems, or when the kernel cannot: copy by read and write, which report errors.
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
