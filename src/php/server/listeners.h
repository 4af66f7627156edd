#pragma once

#include "php/worker/server_setup.h"

namespace sluice::php {

/// Adds a listener at an address, the first argument of a method of Sluice\Server; `target` handles what
/// comes there, unless it is null or nullptr, which is for HTTP, and is argument `target_number`. False when
/// it has thrown.
bool add_listener(ServerSetup& setup, zend_string* address, EndpointKind kind, zval* target,
                  uint32_t target_number);

}  // namespace sluice::php
