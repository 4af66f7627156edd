#pragma once

#include <sys/stat.h>

#include "php/http/response_object.h"

namespace sluice::php {

/// A regular file, open for reading.
struct FileToSend {
    int fd;
    uint64_t size;
    int64_t modified_s;
    int64_t modified_ns;  ///< of the second
};

/// Opens a file: nullptr on success, else why it could not be opened. Throws
/// nothing.
const char* open_file_to_send(const char* path, FileToSend& file);

FileToSend file_to_send(int fd, const struct stat& status);

/// Finishes the response with the file, as sendFile() documents, and closes the file. `name` decides about
/// the type if no Content-Type is set.
Delivery send_file(ResponseObject* self, FileToSend file, std::string_view name);

}  // namespace sluice::php
