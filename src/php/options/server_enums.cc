#include "php/options/server_enums.h"

#include "php/zend/enum_cases.h"

namespace sluice::php {

zend_class_entry* mode_class = nullptr;
zend_class_entry* dispatch_class = nullptr;
zend_class_entry* slow_client_class = nullptr;
zend_class_entry* bodies_class = nullptr;
zend_class_entry* versions_class = nullptr;

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

}  // namespace sluice::php
