#include "php/zend/enums.h"

#include <cstring>

namespace sluice::php {

zend_class_entry* mode_class = nullptr;
zend_class_entry* delivery_class = nullptr;
zend_class_entry* dispatch_class = nullptr;
zend_class_entry* byte_order_class = nullptr;
zend_class_entry* tls_version_class = nullptr;
zend_class_entry* same_site_class = nullptr;
zend_class_entry* proxy_fields_class = nullptr;
zend_class_entry* slow_client_class = nullptr;

namespace {

constexpr const char* kDeliveryNames[] = {"Sent", "Queued", "Dropped", "Closed"};
zend_object* delivery_cases[4] = {};

bool is_case(zend_object* case_object, const char* name) {
    return strcmp(Z_STRVAL_P(zend_enum_fetch_case_name(case_object)), name) == 0;
}

}  // namespace

zend_object* delivery_case(Delivery delivery) {
    zend_object*& cached = delivery_cases[static_cast<unsigned>(delivery)];
    if (!cached)
        cached = zend_enum_get_case_cstr(delivery_class, kDeliveryNames[static_cast<unsigned>(delivery)]);
    return cached;
}

void forget_enum_cases() {
    for (zend_object*& cached : delivery_cases)
        cached = nullptr;
}

Mode mode_of(zend_object* case_object) {
    return is_case(case_object, "Base") ? Mode::kBase : Mode::kProcess;
}

Dispatch dispatch_of(zend_object* case_object) {
    return is_case(case_object, "Sticky") ? Dispatch::kSticky : Dispatch::kLeastBusy;
}

SlowClient slow_client_of(zend_object* case_object) {
    if (is_case(case_object, "Wait")) return SlowClient::kWait;
    if (is_case(case_object, "DropNewest")) return SlowClient::kDropNewest;
    return is_case(case_object, "DropOldest") ? SlowClient::kDropOldest : SlowClient::kClose;
}

TlsVersion tls_version_of(zend_object* case_object) {
    return is_case(case_object, "V1_3") ? TlsVersion::k1_3 : TlsVersion::k1_2;
}

http::SameSite same_site_of(zend_object* case_object) {
    if (is_case(case_object, "Strict")) return http::SameSite::kStrict;
    return is_case(case_object, "Lax") ? http::SameSite::kLax : http::SameSite::kNone;
}

http::ProxyFields proxy_fields_of(zend_object* case_object) {
    if (is_case(case_object, "Forwarded")) return http::ProxyFields::kForwarded;
    return is_case(case_object, "XForwarded") ? http::ProxyFields::kXForwarded : http::ProxyFields::kNone;
}

bool is_little_endian(zend_object* case_object) {
    return is_case(case_object, "LittleEndian");
}

}  // namespace sluice::php
