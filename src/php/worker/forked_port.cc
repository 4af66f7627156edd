#include "php/worker/forked_port.h"

#include <cerrno>

namespace sluice::php {

bool ForkedPort::watch(int, uint32_t) {
    errno = EPERM;
    return false;
}

}  // namespace sluice::php
