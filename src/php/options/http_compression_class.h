#pragma once

#include "php/zend/php_api.h"
#include "protocol/http/compression_policy.h"

namespace sluice::php {

extern zend_class_entry* http_compression_class;
extern zend_class_entry* http_encoding_class;
void init_http_compression_class(zend_class_entry* class_entry);

/// What a constructed Sluice\Http\Compression says; lives as long as the object.
const http::CompressionPolicy& policy_of(zend_object* object);

}  // namespace sluice::php
