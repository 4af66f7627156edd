#pragma once

#include "php/zend/php_api.h"
#include "protocol/http/forwarded.h"

namespace sluice::php {

extern zend_class_entry* proxies_class;
/// Sluice\ProxyFields
extern zend_class_entry* proxy_fields_class;
/// Sluice\ProxyFields
extern zend_class_entry* proxy_fields_class;

void init_proxies_class(zend_class_entry* class_entry);

/// What a Sluice\TrustedProxies holds.
const http::TrustedProxies& proxies_of(zend_object* object);

}  // namespace sluice::php
