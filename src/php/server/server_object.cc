#include "php/server/server_object.h"

#include "php/zend/errors.h"
#include "php/zend/objects.h"

namespace sluice::php {

ServerSetup* open_setup(zend_object* server) {
    ServerSetup* setup = embedded<ServerObject>(server)->setup;
    if (setup->ran) {
        throw_server_exception(
            "The server was started already: listeners, handlers and callbacks come before run()");
        return nullptr;
    }
    return setup;
}

}  // namespace sluice::php
