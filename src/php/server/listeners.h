#pragma once

#include "php/worker/server_setup.h"

namespace sluice::php {

/// Where a method of Sluice\Server is to listen, by its first argument: an address, or a Sluice\Listener.
struct ListenerArgument {
    zend_string* address = nullptr;
    zend_object* listener = nullptr;
};

/// Adds a listener; `target` handles what comes there, unless it is null or nullptr, which is for HTTP, and
/// is argument `target_number`. False when it has thrown.
bool add_listener(ServerSetup& setup, const ListenerArgument& where, EndpointKind kind, zval* target,
                  uint32_t target_number);

}  // namespace sluice::php
