#pragma once

#include "io/body_pipe.h"
#include "php/zend/php_api.h"
#include "server/seam/messages.h"
#include "server/seam/request_file.h"

namespace sluice::php {

/// The body of a request that stands in no string: in a file, or still arriving. Shared by the request, its
/// uploaded files and its streams.
struct BodySource {
    uint32_t references;
    int fd;
    bool is_pipe;
    uint64_t bytes;     ///< of a file
    zend_string* text;  ///< once all of it was asked for
    Inbound message;    ///< what the file is given back by

    // Of a pipe
    bool asked;    ///< the client has been told to go on, if it waits for that
    bool taken;    ///< by a stream
    bool ended;    ///< nothing more comes
    char* packet;  ///< the packet being read
    size_t packet_at, packet_end;
    zend_string* gathered;  ///< what has come while the whole is waited for; longer than that
    size_t gathered_bytes;
    RequestFile* received;  ///< the file that it has become; a reference
};

/// Takes over what `message` holds: a file or a pipe, with a descriptor.
BodySource* new_body_source(const Inbound& message);
BodySource* share(BodySource* source);
void release(BodySource* source);

/// All of it, borrowed; of a pipe, when it has arrived. nullptr when it has thrown: it does not fit into
/// memory_limit, it will not be complete, or the coroutine was cancelled.
zend_string* whole_body(BodySource* source);

/// Of a pipe: waits for all of it. From then on it is `text`, or above `most_in_memory` bytes a file. False
/// when it has thrown: it is being read already, it will not be complete, or there is no room for it.
bool receive_body(BodySource* source, uint64_t most_in_memory);

/// Of a file: up to `size` bytes from `offset` on; -1 when it cannot be read.
ssize_t read_body_at(const BodySource* source, uint64_t offset, char* buffer, size_t size);
/// A part of a file as a string; nullptr when it has thrown.
zend_string* body_part(const BodySource* source, uint64_t begin, size_t size);

/// Of a pipe: the next bytes, waiting for some; 0 at the end, -1 when it has thrown.
ssize_t read_arriving(BodySource* source, char* buffer, size_t size);

}  // namespace sluice::php
