#pragma once

#include "php/worker/server_setup.h"

namespace sluice::php {

/// Warns of handlers that read superglobals of a request, which are empty in a handler. Looks at the handlers'
/// code, and at what they call by name, once.
void tell_of_misread_superglobals(const ServerSetup& setup);

}  // namespace sluice::php
