// Sluice\Server: what runs beside the workers.
#include <algorithm>

#include "php/server/server_object.h"
#include "php/zend/objects.h"
#include "server/seam/connection_id.h"

using namespace sluice::php;

ZEND_METHOD(Sluice_Server, service) {
    zend_string* name;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zend_long processes = 1;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR(name)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(processes)
    ZEND_PARSE_PARAMETERS_END();
    // Resolved again: parsing lets go of a function that lives for one call only.
    if (!zend_is_callable_ex(ZEND_CALL_ARG(execute_data, 2), nullptr, 0, nullptr, &cache, nullptr))
        RETURN_THROWS();
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    sluice::ServerConfig& config = setup->config;
    const std::string chosen(view(name));
    if (!sluice::is_service_name(chosen)) {
        zend_argument_value_error(1,
                                  "must be of 1 to %zu letters, digits, \".\", \"_\" and \"-\", \"%s\" given",
                                  sluice::ServiceSpec::kMostNameBytes, ZSTR_VAL(name));
        RETURN_THROWS();
    }
    if (std::any_of(config.services.begin(), config.services.end(),
                    [&](const sluice::ServiceSpec& service) { return service.name == chosen; })) {
        zend_argument_value_error(1, "must be a name of its own: there is a service \"%s\" already",
                                  ZSTR_VAL(name));
        RETURN_THROWS();
    }
    // In base mode each of them has an end of all rings, as workers have.
    unsigned most = sluice::ServiceSpec::kMostProcesses;
    if (config.mode == sluice::Mode::kBase) most = std::min(most, sluice::kMaxReactors - 2 * config.workers);
    most -= std::min(most, config.service_processes());
    if (processes < 1 || processes > static_cast<zend_long>(most)) {
        zend_argument_value_error(
            3, "must be between 1 and %u, which is what other services leave, " ZEND_LONG_FMT " given", most,
            processes);
        RETURN_THROWS();
    }
    config.services.push_back({chosen, static_cast<unsigned>(processes)});
    setup->services.push_back(make_callback(ZEND_CALL_ARG(execute_data, 2), &cache));
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}
