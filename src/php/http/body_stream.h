#pragma once

#include "php/http/body_source.h"

namespace sluice::php {

/// A read-only, seekable stream over a part of a body in a file.
php_stream* open_file_part_stream(BodySource* source, uint64_t begin, size_t size);

/// A read-only stream over a body that is arriving; reading waits for it.
php_stream* open_arriving_stream(BodySource* source);

/// Appends a part of a body in a file to an open plain file, by the kernel alone where it can. Other
/// coroutines run meanwhile. False when it could not be written, or with an exception.
bool copy_file_part(const BodySource* source, uint64_t begin, size_t size, int target);

}  // namespace sluice::php
