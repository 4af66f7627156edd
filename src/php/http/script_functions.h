#pragma once

#include <span>

#include "php/zend/php_api.h"
#include "protocol/http/http_head.h"

namespace sluice::php {

// Functions that php-fpm has and PHP's command line has not.

/// The request of the running script, for these functions.
class ServedRequest {
  public:
    virtual std::span<const http::Field> fields() const = 0;
    virtual const char* text() const = 0;
    /// Sends what is left of the response. False when it is complete.
    virtual bool finish() = 0;

  protected:
    ~ServedRequest() = default;
};

/// Adds the functions that do not exist, for this request of PHP. `find`: returns the running script's
/// request, or nullptr.
void offer_script_functions(ServedRequest* (*find)());
/// The same for all further requests of PHP of this process; to be called between two of them.
void keep_script_functions(ServedRequest* (*find)());

}  // namespace sluice::php
