#pragma once

#include "io/tls_options.h"
#include "php/zend/php_api.h"

namespace sluice::php {

extern zend_class_entry* tls_class;
/// Sluice\TlsVersion
extern zend_class_entry* tls_version_class;

void init_tls_class(zend_class_entry* class_entry);

const TlsOptions& tls_of(zend_object* object);

}  // namespace sluice::php
