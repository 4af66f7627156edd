#include "php/coroutine/cancel_injection.h"

#include <php_ini.h>

namespace sluice::php {

uint32_t suspensions_until_cancel = 0;

namespace {

uint64_t first_number = 0;  ///< of the counted coroutines

}  // namespace

bool is_cancelled_by_count(const Coroutine& self) {
    if (self.number < first_number || self.shields > 0 || --suspensions_until_cancel > 0) return false;
    zend_string* name = zend_string_init(ZEND_STRL("sluice.cancel_at"), false);
    zend_alter_ini_entry_chars(name, "0", 1, ZEND_INI_USER, ZEND_INI_STAGE_RUNTIME);
    zend_string_release(name);
    return true;
}

ZEND_INI_MH(set_cancel_at) {
    (void)entry, (void)mh_arg1, (void)mh_arg2, (void)mh_arg3, (void)stage;
    const zend_long count = ZEND_STRTOL(ZSTR_VAL(new_value), nullptr, 10);
    if (count < 0 || count > UINT32_MAX) return FAILURE;
    suspensions_until_cancel = static_cast<uint32_t>(count);
    const Coroutine* self = stage == ZEND_INI_STAGE_RUNTIME ? enclosing_coroutine() : nullptr;
    first_number = self ? self->number : 0;
    return SUCCESS;
}

}  // namespace sluice::php
