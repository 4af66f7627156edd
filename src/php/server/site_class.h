#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

void init_site_class(zend_class_entry* class_entry);

/// The Sluice\Http\Site of a server's listener. Keeps the server alive.
zend_object* new_site(zend_object* server, size_t endpoint);

}  // namespace sluice::php
