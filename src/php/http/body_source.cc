#include "php/http/body_source.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "core/clock.h"
#include "php/coroutine/concurrent_use.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/waiting.h"
#include "php/worker/handler_calls.h"
#include "php/worker/sending.h"
#include "php/worker/string_allocator.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "server/config/config.h"

namespace sluice::php {

namespace {

/// Without coroutines: how long to wait for the client before the port is served again.
constexpr int kPollMs = 5;
constexpr size_t kFirstBytes = 65536;
/// After this many bytes other coroutines run.
constexpr size_t kTakenInTurn = 1u << 20;

void throw_too_long(uint64_t bytes) {
    zend_throw_exception_ex(
        server_exception_class, 0,
        "The body of " ZEND_ULONG_FMT
        " bytes or more does not fit into memory_limit: read it by bodyStream() or, for a file, by stream()",
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
    if (Coroutine* self = suspendable()) {
        if (is_used_by_another(*self, source->fd, POLLIN)) return false;
        // Nothing was there just now, and the next look tells what has come: no poll could say more.
        FdWait wait{source->fd, POLLIN, self, nullptr};
        Wake wake = Wake::kWoken;
        if (scheduler()->suspend_for(*self, {&wait, 1}, 0, wake)) return wake != Wake::kInterrupted;
        return wait_in_poll(*self, &one, 1, -1) > 0 && !EG(exception);
    }
    Worker* worker = current_worker();
    // In base mode this thread's own loop receives the body.
    while (poll(&one, 1, kPollMs) == 0)
        if (worker) worker->port->wait_without_messages(0);
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
        throw_server_exception("The ring to the reactor stayed full: the body cannot be requested");
        return false;
    }
    worker->port->flush();
    return source->asked = true;
}

/// Receives the next bytes, for which `buffer` has BodyReader::least_room(); 0: there are none, at the end or
/// with an exception.
size_t receive(BodySource* source, std::span<char> buffer) {
    if (source->ended || (!source->asked && !ask_for_it(source))) return 0;
    for (;;) {
        uint16_t status = 499;
        size_t bytes = 0;
        switch (source->reader->receive(buffer, bytes, status)) {
            case BodyPipe::Received::kBytes: return bytes;
            case BodyPipe::Received::kNothing:
                if (!wait_for_more(source)) return 0;
                break;
            case BodyPipe::Received::kRing:
            case BodyPipe::Received::kWoken: break;  // BodyReader's own
            case BodyPipe::Received::kStarved:
                source->ended = true;
                throw_server_exception(
                    "The body cannot be received: this process has no descriptor left (raise the limit of "
                    "open files)");
                return 0;
            case BodyPipe::Received::kEnd:
                source->ended = true;
                if (status == BodyPipe::kComplete) return 0;
                [[fallthrough]];
            case BodyPipe::Received::kLost:
                source->ended = true;
                zend_throw_exception_ex(bad_request_class, 0, "%s", why_incomplete(status));
                return 0;
        }
    }
}

/// Fills the packet; false when there is none: at the end, or with an exception.
bool next_packet(BodySource* source) {
    if (!source->packet) source->packet = static_cast<char*>(emalloc(BodyPipe::kPacketBytes));
    source->packet_at = 0;
    source->packet_end = receive(source, {source->packet, BodyPipe::kPacketBytes});
    return source->packet_end > 0;
}

/// The rest of the packet, or the next one; empty at the end, or with an exception.
std::string_view take_packet(BodySource* source) {
    if (source->packet_at == source->packet_end && !next_packet(source)) return {};
    const size_t at = std::exchange(source->packet_at, source->packet_end);
    return {source->packet + at, source->packet_end - at};
}

/// Lets other coroutines run after kTakenInTurn bytes; false when it has thrown.
bool give_way(size_t& taken_bytes) {
    if (taken_bytes < kTakenInTurn) return true;
    taken_bytes = 0;
    Coroutine* self = suspendable();
    return !self || scheduler()->suspend(*self, monotonic_ms()) != Wake::kInterrupted;
}

/// Gathers the body up to its end, or to more than `most_bytes`. False when it has thrown.
bool gather(BodySource* source, uint64_t most_bytes) {
    if (!source->gathered) source->gathered = zend_string_alloc(kFirstBytes, false);
    size_t taken_bytes = 0;
    while (source->gathered_bytes <= most_bytes) {
        const std::string_view bytes = take_packet(source);
        if (bytes.empty()) return !EG(exception);
        const size_t size = source->gathered_bytes + bytes.size();
        if (size > ZSTR_LEN(source->gathered)) {
            const size_t room = std::max(size, 2 * ZSTR_LEN(source->gathered));
            if (!fits_memory_limit(room)) {
                throw_too_long(size);
                return false;
            }
            source->gathered = zend_string_realloc(source->gathered, room, false);
        }
        memcpy(ZSTR_VAL(source->gathered) + source->gathered_bytes, bytes.data(), bytes.size());
        source->gathered_bytes = size;
        taken_bytes += bytes.size();
        if (!give_way(taken_bytes)) return false;
    }
    return true;
}

/// The gathered bytes are the whole body: they become its text.
void become_text(BodySource* source) {
    zend_string* text = zend_string_truncate(source->gathered, source->gathered_bytes, false);
    ZSTR_VAL(text)[source->gathered_bytes] = '\0';
    source->gathered = nullptr;
    source->text = text;
}

void drop_gathered(BodySource* source) {
    if (source->gathered) zend_string_release(source->gathered);
    source->gathered = nullptr;
}

/// The exception's code is the client's status if it is not caught.
void throw_no_room(const http::Error& error) {
    zend_throw_exception_ex(server_exception_class, error.status, "The body cannot be received whole: %s",
                            error.reason);
}

bool append(BodySource* source, std::string_view bytes) {
    http::Error error;
    if (source->received->append(bytes, error)) return true;
    throw_no_room(error);
    return false;
}

/// Closes the pipe: the body stands in the file now.
void become_file(BodySource* source) {
    drop_file(source->message);
    delete std::exchange(source->reader, nullptr);
    std::get<inbound::Request>(source->message.what).file = {};
    source->fd = source->received->fd();
    source->bytes = source->received->bytes();
    source->is_pipe = false;
}

bool create_file(BodySource* source) {
    Worker* worker = require_worker();
    if (!worker) return false;
    http::Error error;
    source->received =
        worker->port->create_body_file(current_client(), worker->config->temporary_folder, error).release();
    if (!source->received) throw_no_room(error);
    return source->received;
}

bool receive_to_file(BodySource* source) {
    if (!create_file(source) || !append(source, view(source->gathered).substr(0, source->gathered_bytes)))
        return false;
    drop_gathered(source);
    size_t taken_bytes = 0;
    for (;;) {
        const std::string_view bytes = take_packet(source);
        if (bytes.empty()) break;
        taken_bytes += bytes.size();
        if (!append(source, bytes) || !give_way(taken_bytes)) return false;
    }
    if (EG(exception)) return false;
    become_file(source);
    return true;
}

/// False when it has thrown.
bool take_pipe(BodySource* source) {
    if (source->taken)
        throw_server_exception("bodyStream() reads the body already: it cannot be received whole any more");
    return !std::exchange(source->taken, true);
}

}  // namespace

BodySource* new_body_source(const Inbound& message) {
    BodySource* source = static_cast<BodySource*>(ecalloc(1, sizeof(BodySource)));
    source->references = 1;
    const inbound::BodyFile& file = *message.file();
    source->fd = file.fd;
    source->is_pipe = file.bytes == http::kNoLength;
    source->bytes = source->is_pipe ? 0 : file.bytes;
    if (source->is_pipe) source->reader = new BodyReader(file.fd);
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
    delete source->reader;
    if (source->received) source->received->drop_ref();
    drop_gathered(source);
    if (source->text) zend_string_release(source->text);
    if (source->packet) efree(source->packet);
    efree(source);
}

zend_string* whole_body(BodySource* source) {
    if (source->text) return source->text;
    if (!source->is_pipe) return source->text = body_part(source, 0, static_cast<size_t>(source->bytes));
    if (!take_pipe(source) || !gather(source, UINT64_MAX)) return nullptr;
    become_text(source);
    return source->text;
}

bool receive_body(BodySource* source, uint64_t most_in_memory) {
    if (!source->is_pipe || source->text) return true;
    if (!take_pipe(source) || !gather(source, most_in_memory)) return false;
    if (source->gathered_bytes > most_in_memory) return receive_to_file(source);
    become_text(source);
    return true;
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
    if (source->packet_at == source->packet_end) {
        // Straight into the caller's string, where there is room for all that may come at once.
        const bool is_roomy = size >= source->reader->least_room();
        const size_t received = is_roomy ? receive(source, {buffer, size}) : next_packet(source);
        if (received == 0) return EG(exception) ? -1 : 0;
        if (is_roomy) return static_cast<ssize_t>(received);
    }
    const size_t taken = std::min(size, source->packet_end - source->packet_at);
    memcpy(buffer, source->packet + source->packet_at, taken);
    source->packet_at += taken;
    return static_cast<ssize_t>(taken);
}

}  // namespace sluice::php
