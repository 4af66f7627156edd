#include "php/shared/counter_class.h"

#include <atomic>

#include "php/shared/named.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

using Count = std::atomic<zend_long>;

struct CounterObject {
    Count* count;
    zend_object object;
};

zend_object_handlers handlers;

zend_object* create_counter(zend_class_entry* class_entry) {
    return &new_embedded<CounterObject>(class_entry, handlers)->object;
}

/// nullptr: an exception is set.
Count* count_of(zval* self) {
    Count* const count = embedded<CounterObject>(self)->count;
    if (!count) zend_throw_error(nullptr, "The counter is not constructed");
    return count;
}

}  // namespace

void init_counter_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_counter;
    init_handlers<CounterObject>(handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Shared_Counter, __construct) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    CounterObject* const self = embedded<CounterObject>(ZEND_THIS);
    if (self->count) {
        zend_throw_error(nullptr, "The counter is constructed already");
        RETURN_THROWS();
    }
    const NamedMemory named = open_named(name, "a counter", sizeof(Count));
    if (named.memory.empty()) RETURN_THROWS();
    self->count = reinterpret_cast<Count*>(named.memory.data());
}

ZEND_METHOD(Sluice_Shared_Counter, get) {
    ZEND_PARSE_PARAMETERS_NONE();
    const Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    RETURN_LONG(count->load());
}

ZEND_METHOD(Sluice_Shared_Counter, set) {
    zend_long value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    count->store(value);
}

ZEND_METHOD(Sluice_Shared_Counter, add) {
    zend_long by = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(by)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    zend_long before = count->load();
    zend_long sum;
    do {
        if (__builtin_add_overflow(before, by, &sum)) {
            zend_throw_exception_ex(zend_ce_arithmetic_error, 0,
                                    "The sum of " ZEND_LONG_FMT " and " ZEND_LONG_FMT " is out of range",
                                    before, by);
            RETURN_THROWS();
        }
    } while (!count->compare_exchange_weak(before, sum));
    RETURN_LONG(sum);
}

ZEND_METHOD(Sluice_Shared_Counter, compareAndSet) {
    zend_long expected, value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(expected)
    Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    Count* const count = count_of(ZEND_THIS);
    if (!count) RETURN_THROWS();
    RETURN_BOOL(count->compare_exchange_strong(expected, value));
}
