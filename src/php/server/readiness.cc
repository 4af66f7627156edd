// Sluice\Server: the application's own checks for /readyz. How they are called:
// src/php/library/ReadinessCheck.php.
#include <algorithm>

#include "php/server/server_object.h"
#include "php/server/server_services.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "server/config/service_spec.h"
#include "server/seam/readiness_cells.h"

namespace sluice::php {

namespace {

constexpr std::string_view kOwn[] = {"booted", "workers", "draining", "services"};
constexpr double kLeastTimeout = 0.001, kMostTimeout = 60;
constexpr double kLeastInterval = 0.1, kMostInterval = 3600;

bool check_range(double value, double least, double most, uint32_t number) {
    if (value >= least && value <= most) return true;
    zend_argument_value_error(number, "must be between %.*H and %.*H seconds, %.*H given", -1, least, -1,
                              most, -1, value);
    return false;
}

bool check_name(const ServerSetup& setup, const zend_string* name) {
    if (!is_service_name(std::string(view(name))) || ZSTR_LEN(name) > ReadinessCell::kMostName) {
        zend_argument_value_error(1,
                                  "must be of 1 to %zu letters, digits, \".\", \"_\" and \"-\", \"%s\" given",
                                  ReadinessCell::kMostName, ZSTR_VAL(name));
        return false;
    }
    const std::vector<std::string>& others = setup.readiness_names;
    if (std::ranges::find(others, view(name)) != others.end() ||
        std::ranges::find(kOwn, view(name)) != std::end(kOwn)) {
        zend_argument_value_error(1, "must be a name of its own: there is a check \"%s\" already",
                                  ZSTR_VAL(name));
        return false;
    }
    if (others.size() < ReadinessCells::kMost) return true;
    zend_argument_value_error(1, "must be that of one of at most %zu checks: \"%s\" is one more",
                              ReadinessCells::kMost, ZSTR_VAL(name));
    return false;
}

}  // namespace

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Server, readiness) {
    zend_string* name;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    double timeout = 2, interval = 5;
    ZEND_PARSE_PARAMETERS_START(2, 4)
    Z_PARAM_STR(name)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE(timeout)
    Z_PARAM_DOUBLE(interval)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    ServerSetup* const setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup || !check_name(*setup, name) || !check_range(timeout, kLeastTimeout, kMostTimeout, 3) ||
        !check_range(interval, kLeastInterval, kMostInterval, 4))
        RETURN_THROWS();
    zval check;
    if (!new_library_object(&check, "Sluice\\Internal\\ReadinessCheck")) RETURN_THROWS();
    zval arguments[5];
    ZVAL_LONG(&arguments[0], static_cast<zend_long>(setup->readiness_names.size()));
    ZVAL_STR(&arguments[1], name);
    ZVAL_COPY_VALUE(&arguments[2], ZEND_CALL_ARG(execute_data, 2));
    ZVAL_DOUBLE(&arguments[3], timeout);
    ZVAL_DOUBLE(&arguments[4], interval);
    zend_call_known_instance_method(Z_OBJCE(check)->constructor, Z_OBJ(check), nullptr, 5, arguments);
    if (!EG(exception)) {
        setup->readiness_names.emplace_back(view(name));
        setup->own_starts.push_back(callback_to(Z_OBJ(check), "begin"));
        setup->own_ends.push_back(callback_to(Z_OBJ(check), "end"));
    }
    zval_ptr_dtor(&check);
    if (EG(exception)) RETURN_THROWS();
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}
