#pragma once

#include "php/worker/server_setup.h"

namespace sluice::php {

/// A Sluice\Server.
struct ServerObject {
    ServerSetup* setup;  ///< nullptr until constructed
    zend_object object;
};

/// The setup of a Sluice\Server, while it may be changed; nullptr when it has thrown.
ServerSetup* open_setup(zend_object* server);

}  // namespace sluice::php
