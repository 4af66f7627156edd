#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

class Occasion;

/// The trace that code works for: a request's while its handler runs, and its spawner's in a task.
struct TraceScope {
    zend_object* object = nullptr;      ///< a Sluice\Http\Trace, one reference; nullptr: nobody has asked yet
    const Occasion* request = nullptr;  ///< whose trace it is; nullptr: a task's, or none
    uint64_t suspended_us = 0;          ///< how long the handler itself was suspended, where waits are noted
};

}  // namespace sluice::php
