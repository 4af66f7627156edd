#include "php/options/server_enums.h"

#include "core/log.h"
#include "php/zend/enum_cases.h"

namespace sluice::php {

zend_class_entry* mode_class = nullptr;
zend_class_entry* dispatch_class = nullptr;
zend_class_entry* slow_client_class = nullptr;
zend_class_entry* bodies_class = nullptr;
zend_class_entry* versions_class = nullptr;
zend_class_entry* server_log_format_class = nullptr;
zend_class_entry* log_level_class = nullptr;

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

uint8_t log_level_of(zend_object* case_object) {
    using log::Level;
    const Level level = is_case(case_object, "Error")     ? Level::kError
                        : is_case(case_object, "Warning") ? Level::kWarning
                                                          : Level::kInfo;
    return static_cast<uint8_t>(level);
}

}  // namespace sluice::php
