#pragma once

#include "io/body_reader.h"
#include "php/zend/php_api.h"
#include "server/seam/messages.h"
#include "server/seam/request_file.h"

namespace sluice::php {

/// A request's body that is not a string: in a file, or still arriving by a pipe. Shared by the request, its
/// uploaded files and its streams.
struct BodySource {
    uint32_t references;
    int fd;
    bool is_pipe;
    uint64_t bytes;     ///< of a file
    zend_string* text;  ///< once the whole body was asked for
    Inbound message;    ///< gives the file back

    // Of a pipe
    BodyReader* reader;
    bool asked;    ///< the body has been requested (command::WantBody)
    bool taken;    ///< by a stream, or by receive_body()
    bool ended;    ///< nothing more comes
    char* packet;  ///< the packet being read
    size_t packet_at, packet_end;
    zend_string* gathered;  ///< the bytes so far while the whole is awaited; its capacity is longer
    size_t gathered_bytes;
    RequestFile* received;  ///< the file with the received body; one reference
};

/// Takes over what `message` holds: a file or a pipe, with a descriptor.
BodySource* new_body_source(const Inbound& message);
BodySource* share(BodySource* source);
void release(BodySource* source);

/// The whole body, borrowed; waits for one in a pipe. nullptr when it has thrown: the body does not fit into
/// memory_limit, it will not be complete, or the coroutine was cancelled.
zend_string* whole_body(BodySource* source);

/// For a pipe: waits for the whole body, which becomes `text`, or above `most_in_memory` bytes a file. False
/// when it has thrown: the body is being read already, will not be complete, or there is no room for it.
bool receive_body(BodySource* source, uint64_t most_in_memory);

/// For a file: reads up to `size` bytes from `offset` on; -1 on failure.
ssize_t read_body_at(const BodySource* source, uint64_t offset, char* buffer, size_t size);
/// A part of a file as a string; nullptr when it has thrown.
zend_string* body_part(const BodySource* source, uint64_t begin, size_t size);

/// For a pipe: waits for and reads the next bytes; 0 at the end, -1 when it has thrown.
ssize_t read_arriving(BodySource* source, char* buffer, size_t size);

}  // namespace sluice::php
