#pragma once

#include "php/http/response_object.h"
#include "php/http/send_file.h"

namespace sluice::php {

// Files that stand in a folder, for handlers that serve one.

enum class Found : uint8_t { kFile, kFolder, kNothing, kError };

/// Opens what the relative path names; `error` tells about kError, which is the system's trouble.
Found open_in(int folder, const char* path, FileToSend& file, const char*& error);

/// Redirects (301) from a folder's path to the one with a slash at its end.
void redirect_to_folder(ResponseObject* response, const SharedHead& head);

bool is_read(const SharedHead& head);

/// Answers 404, or 405 to what neither reads nor is for a script.
void answer_nothing(ResponseObject* response, const SharedHead& head);

}  // namespace sluice::php
