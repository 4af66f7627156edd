#pragma once

#include <optional>
#include <string>
#include <vector>

#include "php/worker/server_setup.h"

namespace sluice::php {

// What the arguments of Sluice\Server's methods have to be. Each check returns false when it has thrown a
// ValueError about argument `number`.

/// How many processors this process may run on.
zend_long cpu_count();

bool check_count(zend_long count, zend_long most, uint32_t number);

/// Between the least number of workers and `most`; more than the least in process mode only.
bool check_most_workers(zend_long workers, zend_long chosen, zend_long most, Mode mode, uint32_t number);

/// The arena is divided among the reactors, and each share must hold two of the longest messages. With
/// `may_reduce` takes fewer reactors. An error is about the third argument, the number of reactors.
bool fit_reactors(zend_long arena_bytes, zend_long longest, bool may_reduce, zend_long& reactors);
/// fit_reactors() for an endpoint whose messages may be longer by its own limits, argument `number`.
bool fit_endpoint(ServerSetup& setup, const EndpointSpec& endpoint, uint32_t number);

/// Of a file that will be written: its directory exists.
bool check_file(zend_string* path, uint32_t number);
/// Of folders and files: all exist, and there is at least one.
bool check_paths(HashTable* paths, uint32_t number);
/// Of patterns for names of files: there is at least one.
bool check_patterns(HashTable* patterns, uint32_t number);
/// Of patterns for places that leaks are found in.
bool check_places(HashTable* patterns, uint32_t number);
/// The strings of an array that check_paths(), check_patterns() or check_places() has accepted.
std::vector<std::string> strings_of(HashTable* strings);

/// Of the admin listener: the address is valid, and clients of other machines need a token (nullptr: none).
bool check_admin(zend_string* address, zend_string* token);
/// Of a user and, unless it is null, a group: the system knows them. The first two arguments.
bool check_identity(zend_string* user, zend_string* group, std::optional<Identity>& identity);

/// Of a folder: files can be made there.
bool check_folder(zend_string* path, uint32_t number);

}  // namespace sluice::php
