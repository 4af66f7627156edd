#pragma once

#include "php/zend/php_api.h"
#include "server/config/tracing_spec.h"

namespace sluice::php {

/// The arguments of Server::tracing(), and the environment where they are null. False when it has thrown.
struct TracingArguments {
    zend_string* endpoint = nullptr;
    double ratio = 1;
    bool has_ratio = false;
    zend_string* service = nullptr;
    HashTable* headers = nullptr;  ///< nullptr: none
};
bool read_tracing(const TracingArguments& arguments, TracingSpec& spec);

}  // namespace sluice::php
