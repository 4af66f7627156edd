// The functions of Sluice\Coroutine that name coroutines by their numbers.

#include <algorithm>
#include <vector>

#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"

using namespace sluice::php;

ZEND_FUNCTION(Sluice_Coroutine_id) {
    ZEND_PARSE_PARAMETERS_NONE();
    const Coroutine* const self = enclosing_coroutine();
    RETURN_LONG(self && scheduler() ? static_cast<zend_long>(self->number) : 0);
}

ZEND_FUNCTION(Sluice_Coroutine_parentId) {
    zend_long id = 0;
    bool is_null = true;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG_OR_NULL(id, is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (!scheduler()) RETURN_NULL();
    const Coroutine* const one =
        is_null ? enclosing_coroutine() : scheduler()->find(static_cast<uint64_t>(id));
    if (!one) RETURN_NULL();
    RETURN_LONG(static_cast<zend_long>(one->parent));
}

ZEND_FUNCTION(Sluice_Coroutine_ids) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    if (!scheduler()) return;
    std::vector<uint64_t> numbers;
    scheduler()->for_each_live([&](const Coroutine& one) { numbers.push_back(one.number); });
    std::sort(numbers.begin(), numbers.end());
    for (const uint64_t number : numbers)
        add_next_index_long(return_value, static_cast<zend_long>(number));
}

ZEND_FUNCTION(Sluice_Coroutine_suspend) {
    double seconds = 0;
    bool for_ever = true;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(seconds, for_ever)
    ZEND_PARSE_PARAMETERS_END();
    if (!for_ever && !check_seconds(seconds, 0, 1)) RETURN_THROWS();
    Coroutine* self = require_coroutine();
    if (!self) RETURN_THROWS();
    self->awaits_resume = true;
    const Wake wake = scheduler()->suspend(*self, for_ever ? 0 : deadline_in(seconds));
    self->awaits_resume = false;
    if (wake == Wake::kInterrupted) RETURN_THROWS();
    RETURN_BOOL(wake == Wake::kWoken);
}

ZEND_FUNCTION(Sluice_Coroutine_resume) {
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    Coroutine* one = scheduler() && id > 0 ? scheduler()->find(static_cast<uint64_t>(id)) : nullptr;
    if (!one || !one->awaits_resume || one->state != Coroutine::State::kWaiting) RETURN_FALSE;
    scheduler()->resume_now(*one);
    RETURN_TRUE;
}

ZEND_FUNCTION(Sluice_Coroutine_fiber) {
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    const Coroutine* const one =
        scheduler() && id > 0 ? scheduler()->find(static_cast<uint64_t>(id)) : nullptr;
    if (!one) RETURN_NULL();
    RETURN_OBJ_COPY(&one->fiber->std);
}
