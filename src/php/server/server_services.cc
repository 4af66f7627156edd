// Sluice\Server: what runs beside the workers.
#include "php/server/server_services.h"

#include <algorithm>
#include <cstring>

#include "php/coroutine/deadlines.h"
#include "php/server/server_arguments.h"
#include "php/server/server_object.h"
#include "php/zend/objects.h"
#include "server/seam/connection_id.h"

namespace sluice::php {

namespace {

constexpr zend_long kMostQueued = 1'000'000;
constexpr zend_long kMostWorkersUnasked = 16;
/// Ends the name of the process in which a pool's tasks wait.
constexpr char kQueueSuffix[] = ".queue";

/// False when it has thrown what is wrong with the name, argument `number`.
bool check_name(const ServerConfig& config, zend_string* name, uint32_t number, size_t suffix = 0) {
    const std::string chosen(view(name));
    if (!is_service_name(chosen) || chosen.size() + suffix > ServiceSpec::kMostNameBytes) {
        zend_argument_value_error(number,
                                  "must be of 1 to %zu letters, digits, \".\", \"_\" and \"-\", \"%s\" given",
                                  ServiceSpec::kMostNameBytes - suffix, ZSTR_VAL(name));
        return false;
    }
    if (std::any_of(config.services.begin(), config.services.end(),
                    [&](const ServiceSpec& service) { return service.name == chosen; })) {
        zend_argument_value_error(number, "must be a name of its own: there is a service \"%s\" already",
                                  ZSTR_VAL(name));
        return false;
    }
    return true;
}

bool check_processes(const ServerConfig& config, zend_long processes, unsigned others, uint32_t number) {
    // In base mode each process of a service has a reactor's number, as workers have.
    unsigned most = ServiceSpec::kMostProcesses;
    if (config.mode == Mode::kBase) most = std::min(most, kMaxReactors - 2 * config.workers);
    most -= std::min(most, config.service_processes() + others);
    if (processes >= 1 && processes <= static_cast<zend_long>(most)) return true;
    zend_argument_value_error(
        number, "must be between 1 and %u, which is what other services leave, " ZEND_LONG_FMT " given", most,
        processes);
    return false;
}

/// Adds a service whose function is a method of the object.
void add_method(ServerSetup& setup, const ServiceSpec& spec, zend_object* object, const char* method) {
    setup.config.services.push_back(spec);
    setup.services.push_back(callback_to(object, method));
}

bool check_pool(const ServerSetup& setup, zend_string* name, zend_long workers, zend_long queue,
                double grace_seconds) {
    if (!check_processes(setup.config, workers, 1, 2)) return false;
    if (queue < 0 || queue > kMostQueued) {
        zend_argument_value_error(3, "must be between 0 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostQueued, queue);
        return false;
    }
    return check_seconds(grace_seconds, 0, 4) && check_name(setup.config, name, 5, sizeof kQueueSuffix - 1);
}

}  // namespace

bool new_library_object(zval* object, const char* class_name) {
    zend_string* const name = zend_string_init(class_name, strlen(class_name), false);
    zend_class_entry* const class_entry = zend_lookup_class(name);
    zend_string_release(name);
    return class_entry && object_init_ex(object, class_entry) == SUCCESS;
}

Callback callback_to(zend_object* object, const char* method) {
    zval callable;
    array_init(&callable);
    GC_ADDREF(object);
    add_next_index_object(&callable, object);
    add_next_index_string(&callable, method);
    zend_fcall_info_cache cache;
    zend_is_callable_ex(&callable, nullptr, 0, nullptr, &cache, nullptr);
    const Callback callback = make_callback(&callable, &cache);
    zval_ptr_dtor(&callable);
    return callback;
}

void add_service(ServerSetup& setup, const char* name, zend_object* object, const char* method) {
    add_method(setup, {name, 1, false}, object, method);
}

}  // namespace sluice::php

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
    if (!setup || !check_name(setup->config, name, 1) || !check_processes(setup->config, processes, 0, 3))
        RETURN_THROWS();
    setup->config.services.push_back({std::string(view(name)), static_cast<unsigned>(processes), false});
    setup->services.push_back(make_callback(ZEND_CALL_ARG(execute_data, 2), &cache));
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Sluice_Server, tasks) {
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zend_long workers = 0, queue = 1000;
    bool workers_null = true;
    double grace_seconds = 2;
    zend_string* name = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 5)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG_OR_NULL(workers, workers_null)
    Z_PARAM_LONG(queue)
    Z_PARAM_DOUBLE(grace_seconds)
    Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    ServerSetup* setup = open_setup(Z_OBJ_P(ZEND_THIS));
    if (!setup) RETURN_THROWS();
    // A reference to the caller's name, or to a name made here.
    zend_string* const chosen = name ? zend_string_copy(name) : zend_string_init(ZEND_STRL("tasks"), false);
    if (workers_null) workers = std::min<zend_long>(cpu_count(), kMostWorkersUnasked);
    if (check_pool(*setup, chosen, workers, queue, grace_seconds) &&
        new_library_object(return_value, "Sluice\\TaskPool")) {
        zval arguments[4];
        ZVAL_STR(&arguments[0], chosen);
        ZVAL_COPY_VALUE(&arguments[1], ZEND_CALL_ARG(execute_data, 1));
        ZVAL_LONG(&arguments[2], queue);
        ZVAL_DOUBLE(&arguments[3], grace_seconds);
        zend_call_known_instance_method(Z_OBJCE_P(return_value)->constructor, Z_OBJ_P(return_value), nullptr,
                                        4, arguments);
        if (!EG(exception)) {
            const std::string pool(view(chosen));
            add_method(*setup, {pool + kQueueSuffix, 1, true}, Z_OBJ_P(return_value), "serve");
            add_method(*setup, {pool, static_cast<unsigned>(workers), true}, Z_OBJ_P(return_value), "work");
        }
    }
    zend_string_release(chosen);
    if (EG(exception)) RETURN_THROWS();
}
