#include "php/http/body_source.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/waiting.h"
#include "php/worker/handler_calls.h"
#include "php/worker/sending.h"
#include "php/worker/string_allocator.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

/// Where there are no coroutines, how long the wait for a client lasts before the server is served again.
constexpr int kPollMs = 5;
constexpr size_t kFirstBytes = 65536;

void throw_too_long(uint64_t bytes) {
    zend_throw_exception_ex(
        server_exception_class, 0,
        "The body of " ZEND_ULONG_FMT
        " bytes or more does not fit into memory_limit: read it by bodyStream(), or in its parts",
        static_cast<zend_ulong>(bytes));
}

const char* why_incomplete(uint16_t status) {
    switch (status) {
        case 400: return "the chunked coding of the body is malformed";
        case 408: return "the request body did not arrive in time";
        case 413: return "the body is longer than the limit for bodies of requests";
        case 431: return "the trailers of the body are longer than the limit allows";
        default: return "the client has gone before the end of the body";
    }
}

/// False when it has thrown.
bool wait_for_more(const BodySource* source) {
    pollfd one{source->fd, POLLIN, 0};
    if (Coroutine* self = suspendable()) return wait_in_poll(*self, &one, 1, -1) > 0 && !EG(exception);
    Worker* worker = current_worker();
    // In base mode it is this very thread that receives the body.
    while (poll(&one, 1, kPollMs) == 0)
        if (worker) worker->port->wait(0);
    return true;
}

bool ask_for_it(BodySource* source) {
    Worker* worker = require_worker();
    if (!worker) return false;
    const Delivery delivery =
        submit(*worker, {.what = command::WantBody{source->message.as<inbound::Request>()->number},
                         .connection = source->message.connection});
    if (EG(exception)) return false;
    if (delivery == Delivery::kDropped) {
        throw_server_exception("The way to the server stayed full: the body cannot be asked for");
        return false;
    }
    worker->port->flush();
    return source->asked = true;
}

/// Fills the packet; false when there is none: at the end, or with an exception.
bool next_packet(BodySource* source) {
    if (source->ended || (!source->asked && !ask_for_it(source))) return false;
    if (!source->packet) source->packet = static_cast<char*>(emalloc(BodyPipe::kPacketBytes));
    for (;;) {
        uint16_t status = 499;
        size_t bytes = 0;
        switch (BodyPipe::receive(source->fd, {source->packet, BodyPipe::kPacketBytes}, bytes, status)) {
            case BodyPipe::Received::kBytes:
                source->packet_at = 0;
                source->packet_end = bytes;
                return true;
            case BodyPipe::Received::kNothing:
                if (!wait_for_more(source)) return false;
                break;
            case BodyPipe::Received::kEnd:
                source->ended = true;
                if (status == BodyPipe::kComplete) return false;
                [[fallthrough]];
            case BodyPipe::Received::kLost:
                source->ended = true;
                zend_throw_exception_ex(bad_request_class, 0, "%s", why_incomplete(status));
                return false;
        }
    }
}

zend_string* read_all_arriving(BodySource* source) {
    zend_string* text = zend_string_alloc(kFirstBytes, false);
    size_t size = 0;
    for (;;) {
        if (size == ZSTR_LEN(text)) {
            if (!fits_memory_limit(2 * size)) {
                throw_too_long(size);
                break;
            }
            text = zend_string_realloc(text, 2 * size, false);
        }
        const ssize_t got = read_arriving(source, ZSTR_VAL(text) + size, ZSTR_LEN(text) - size);
        if (got < 0) break;
        if (got == 0) {
            text = zend_string_truncate(text, size, false);
            ZSTR_VAL(text)[size] = '\0';
            return text;
        }
        size += static_cast<size_t>(got);
    }
    zend_string_release(text);
    return nullptr;
}

}  // namespace

BodySource* new_body_source(const Inbound& message) {
    BodySource* source = static_cast<BodySource*>(ecalloc(1, sizeof(BodySource)));
    source->references = 1;
    const inbound::BodyFile& file = *message.file();
    source->fd = file.fd;
    source->is_pipe = file.bytes == http::kNoLength;
    source->bytes = source->is_pipe ? 0 : file.bytes;
    source->message = message;
    source->message.move_head({});
    return source;
}

BodySource* share(BodySource* source) {
    ++source->references;
    return source;
}

void release(BodySource* source) {
    if (--source->references > 0) return;
    drop_file(source->message);
    if (source->text) zend_string_release(source->text);
    if (source->packet) efree(source->packet);
    efree(source);
}

zend_string* whole_body(BodySource* source) {
    if (source->text) return source->text;
    if (!source->is_pipe) return source->text = body_part(source, 0, static_cast<size_t>(source->bytes));
    if (source->taken) {
        throw_server_exception("The body is read by bodyStream() already, and no longer there as a whole");
        return nullptr;
    }
    source->taken = true;
    return source->text = read_all_arriving(source);
}

ssize_t read_body_at(const BodySource* source, uint64_t offset, char* buffer, size_t size) {
    ssize_t got;
    do
        got = pread(source->fd, buffer, size, static_cast<off_t>(offset));
    while (got < 0 && errno == EINTR);
    return got;
}

zend_string* body_part(const BodySource* source, uint64_t begin, size_t size) {
    if (!fits_memory_limit(size)) {
        throw_too_long(size);
        return nullptr;
    }
    zend_string* text = zend_string_alloc(size, false);
    for (size_t done = 0; done < size;) {
        const ssize_t got = read_body_at(source, begin + done, ZSTR_VAL(text) + done, size - done);
        if (got <= 0) {
            zend_string_release(text);
            throw_server_exception("The temporary file of the body cannot be read");
            return nullptr;
        }
        done += static_cast<size_t>(got);
    }
    ZSTR_VAL(text)[size] = '\0';
    return text;
}

ssize_t read_arriving(BodySource* source, char* buffer, size_t size) {
    if (source->packet_at == source->packet_end && !next_packet(source)) return EG(exception) ? -1 : 0;
    const size_t taken = std::min(size, source->packet_end - source->packet_at);
    memcpy(buffer, source->packet + source->packet_at, taken);
    source->packet_at += taken;
    return static_cast<ssize_t>(taken);
}

}  // namespace sluice::php
