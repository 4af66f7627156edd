#include "php/leaks/write_watch.h"
#include "php/server/server_arguments.h"
#include "php/server/server_object.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

constexpr zend_long kWarmUp = 2, kMostWarmUp = 1'000'000;

/// Makes a LeakDetector, which is written in PHP; UNDEF when it has thrown.
void make_detector(zval* detector, zval* arguments) {
    ZVAL_UNDEF(detector);
    zend_string* const name = zend_string_init(ZEND_STRL("Sluice\\Internal\\LeakDetector"), false);
    zend_class_entry* const class_entry = zend_lookup_class(name);
    zend_string_release(name);
    if (!class_entry || object_init_ex(detector, class_entry) != SUCCESS) return;
    zend_call_known_function(class_entry->constructor, Z_OBJ_P(detector), class_entry, nullptr, 4, arguments,
                             nullptr);
    if (EG(exception)) {
        zval_ptr_dtor(detector);
        ZVAL_UNDEF(detector);
    }
}

}  // namespace

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Server, detectLeaks) {
    zend_fcall_info info = empty_fcall_info;
    zend_fcall_info_cache cache = empty_fcall_info_cache;
    zval* ignore = nullptr;
    zend_long warm_up = kWarmUp;
    ZEND_PARSE_PARAMETERS_START(0, 3)
    Z_PARAM_OPTIONAL
    Z_PARAM_FUNC_OR_NULL(info, cache)
    Z_PARAM_ARRAY(ignore)
    Z_PARAM_LONG(warm_up)
    ZEND_PARSE_PARAMETERS_END();
    if (ZEND_FCI_INITIALIZED(info)) zend_release_fcall_info_cache(&cache);
    if (ignore && zend_hash_num_elements(Z_ARRVAL_P(ignore)) > 0 && !check_places(Z_ARRVAL_P(ignore), 2))
        RETURN_THROWS();
    if (warm_up < 0 || warm_up > kMostWarmUp) {
        zend_argument_value_error(3, "must be between 0 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostWarmUp, warm_up);
        RETURN_THROWS();
    }
    ServerSetup* const setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    const char* const folder = INI_STR("opcache.file_cache");
    if (folder && *folder && INI_BOOL("opcache.enable") && INI_BOOL("opcache.enable_cli")) {
        throw_server_exception(
            "Leaks cannot be detected while opcache.file_cache is set (%s): other processes cannot run the "
            "code "
            "that would be stored there; start PHP with -d opcache.file_cache=",
            folder);
        RETURN_THROWS();
    }

    zval arguments[4];
    ZVAL_COPY_VALUE(&arguments[0], ZEND_THIS);
    ZVAL_NULL(&arguments[1]);
    if (ZEND_FCI_INITIALIZED(info)) ZVAL_COPY_VALUE(&arguments[1], &info.function_name);
    ZVAL_EMPTY_ARRAY(&arguments[2]);
    if (ignore) ZVAL_COPY_VALUE(&arguments[2], ignore);
    ZVAL_LONG(&arguments[3], warm_up);
    zval method[2];
    make_detector(&method[0], arguments);
    if (Z_ISUNDEF(method[0])) RETURN_THROWS();
    ZVAL_STRING(&method[1], "look");
    zval callable;
    ZVAL_ARR(&callable, zend_new_pair(&method[0], &method[1]));
    if (!zend_is_callable_ex(&callable, nullptr, 0, nullptr, &cache, nullptr)) RETURN_THROWS();
    begin_write_watch();
    release_callback(setup->leak_detector);
    setup->leak_detector = make_callback(&callable, &cache);
    zval_ptr_dtor(&callable);
    RETURN_COPY(ZEND_THIS);
}
