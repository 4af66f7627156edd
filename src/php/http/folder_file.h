#pragma once

#include "php/http/response_object.h"
#include "php/http/send_file.h"

namespace sluice::php {

// Files that stand in a folder, for handlers that serve one.

/// The folder, and those beside it that symbolic links in it may lead to; a plain part of PHP's objects.
struct ServedFolder {
    int fd;                ///< open, or -1
    zend_string* path;     ///< without symbolic links
    zend_array* links_to;  ///< each path, without symbolic links, with its descriptor; nullptr: none
};

/// Opens the folders; false when it has thrown. `links_to` is the argument of that number, or nullptr.
bool open_folder(ServedFolder& folder, zend_string* path, zend_array* links_to, uint32_t argument);
void close_folder(ServedFolder& folder);

enum class Found : uint8_t { kFile, kFolder, kNothing, kError };

/// Opens what the relative path names; `error` tells about kError, which is the system's trouble.
Found open_in(const ServedFolder& folder, const char* path, FileToSend& file, const char*& error);

constexpr size_t kLongestFileName = 255;  ///< NAME_MAX of Linux

/// Throws for the argument of that number unless it is a list of names of files.
bool check_index(zend_array* index, uint32_t argument);

/// Redirects (301) from a folder's path to the one with a slash at its end.
void redirect_to_folder(ResponseObject* response, const SharedHead& head);

bool is_read(const SharedHead& head);

/// Answers 404, or 405 to what neither reads nor is for a script.
void answer_nothing(ResponseObject* response, const SharedHead& head);

}  // namespace sluice::php
