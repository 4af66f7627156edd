#pragma once

#include "io/tls_options.h"
#include "php/zend/php_api.h"
#include "protocol/http/forwarded.h"
#include "protocol/http/set_cookie.h"
#include "server/config/choices.h"
#include "server/seam/messages.h"

namespace sluice::php {

extern zend_class_entry* mode_class;
extern zend_class_entry* delivery_class;
extern zend_class_entry* dispatch_class;
extern zend_class_entry* byte_order_class;
extern zend_class_entry* tls_version_class;
extern zend_class_entry* same_site_class;
extern zend_class_entry* proxy_fields_class;
extern zend_class_entry* slow_client_class;

/// The case object of a Sluice\Delivery, without a reference of its own.
zend_object* delivery_case(Delivery delivery);

/// The cases are looked up once per run of a script.
void forget_enum_cases();

Mode mode_of(zend_object* case_object);
Dispatch dispatch_of(zend_object* case_object);
SlowClient slow_client_of(zend_object* case_object);
TlsVersion tls_version_of(zend_object* case_object);
http::SameSite same_site_of(zend_object* case_object);
http::ProxyFields proxy_fields_of(zend_object* case_object);
bool is_little_endian(zend_object* case_object);

}  // namespace sluice::php

#define RETURN_DELIVERY(delivery) RETURN_OBJ_COPY(::sluice::php::delivery_case(delivery))
