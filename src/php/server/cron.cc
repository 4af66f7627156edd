#include "php/server/cron.h"

#include "php/server/server_services.h"
#include "php/worker/server_setup.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

// Which times there are, and when they have come: src/php/library/CronClock.php.

namespace sluice::php {

namespace {

constexpr const char* kService = "cron";

/// CronClock::ofScript(); false when it has thrown.
bool find_clock(zval* clock) {
    ZVAL_UNDEF(clock);
    zend_string* const name = zend_string_init(ZEND_STRL("Sluice\\CronClock"), false);
    zend_class_entry* const class_entry = zend_lookup_class(name);
    zend_string_release(name);
    if (class_entry) zend_call_method_with_0_params(nullptr, class_entry, nullptr, "ofscript", clock);
    return class_entry && !EG(exception);
}

/// Whether the script has called Timer::cron(), which loads the class.
bool is_clock_loaded() {
    return zend_hash_str_exists(EG(class_table), ZEND_STRL("sluice\\cronclock"));
}

}  // namespace

bool add_cron_service(ServerSetup& setup) {
    if (!is_clock_loaded()) return true;
    for (const ServiceSpec& service : setup.config.services) {
        if (service.name != kService) continue;
        throw_server_exception(
            "Timer::cron() runs in a service of the name \"%s\": give your own another one", kService);
        return false;
    }
    zval clock;
    if (!find_clock(&clock)) return false;
    add_service(setup, kService, Z_OBJ(clock), "run");
    zval_ptr_dtor(&clock);
    return true;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Timer, cron) {
    zend_string* expression;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zend_string* time_zone = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR(expression)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR_OR_NULL(time_zone)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    if (current_worker()) {
        throw_server_exception(
            "Timer::cron() was called in a process that serves: call it before run(), it is the whole "
            "server's");
        RETURN_THROWS();
    }
    zval clock;
    if (!find_clock(&clock)) RETURN_THROWS();
    auto* const add = static_cast<zend_function*>(
        zend_hash_str_find_ptr(&Z_OBJCE(clock)->function_table, ZEND_STRL("add")));
    zval arguments[3];
    ZVAL_STR(&arguments[0], expression);
    ZVAL_COPY_VALUE(&arguments[1], ZEND_CALL_ARG(execute_data, 2));
    ZVAL_NULL(&arguments[2]);
    if (time_zone) ZVAL_STR(&arguments[2], time_zone);
    zend_call_known_instance_method(add, Z_OBJ(clock), nullptr, 3, arguments);
    zval_ptr_dtor(&clock);
}
