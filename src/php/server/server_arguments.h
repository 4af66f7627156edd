#pragma once

#include <string>
#include <vector>

#include "php/worker/server_setup.h"

namespace sluice::php {

// What the arguments of Sluice\Server's methods have to be. The checks throw a ValueError about argument
// `number`, and return false.

/// Those that this process may run on.
zend_long cpu_count();

bool check_count(zend_long count, zend_long most, uint32_t number);

/// Between the workers that there are at least and `most`, and more than the former in process mode only.
bool check_most_workers(zend_long workers, zend_long chosen, zend_long most, Mode mode, uint32_t number);

/// The arena is divided among the reactors, and each share must hold two of the longest messages. Takes fewer
/// reactors when their number was left to us. They are the third argument.
bool fit_reactors(zend_long arena_bytes, zend_long longest, bool may_reduce, zend_long& reactors);
/// fit_reactors() for an endpoint whose messages may be longer by its own limits, argument `number`.
bool fit_endpoint(ServerSetup& setup, const EndpointSpec& endpoint, uint32_t number);

/// A file that will be written has to be in a directory that is there.
bool check_file(zend_string* path, uint32_t number);
/// Folders or files that are there, at least one.
bool check_paths(HashTable* paths, uint32_t number);
/// Of files' names, at least one.
bool check_patterns(HashTable* patterns, uint32_t number);
/// Of what leaks are found in.
bool check_places(HashTable* patterns, uint32_t number);
/// Of what a check above has found good.
std::vector<std::string> strings_of(HashTable* strings);

/// Files will be made in it.
bool check_folder(zend_string* path, uint32_t number);

}  // namespace sluice::php
