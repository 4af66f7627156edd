#pragma once

#include "php/worker/server_setup.h"

namespace sluice::php {

/// Whether the endpoint's processes, if it has any, serve scripts: its handler says so.
void note_scripts(EndpointSpec& endpoint, const Handler& handler);

/// The first argument of Sluice\Server's methods that listen: an address, or a Sluice\Listener.
struct ListenerArgument {
    zend_string* address = nullptr;
    zend_object* listener = nullptr;
};

/// Adds a listener; `target`, argument `target_number`, is its handler. For HTTP it may be null or nullptr:
/// no handler. False when it has thrown.
bool add_listener(ServerSetup& setup, const ListenerArgument& where, EndpointKind kind, zval* target,
                  uint32_t target_number);

}  // namespace sluice::php
