#include "php/options/http_options_class.h"

#include "php/options/access_log_class.h"
#include "php/options/error_pages_class.h"
#include "php/options/http_compression_class.h"
#include "php/options/processes_class.h"
#include "php/options/server_enums.h"
#include "php/zend/enum_cases.h"
#include "php/zend/objects.h"
#include "server/config/endpoint_spec.h"

namespace sluice::php {

zend_class_entry* http_options_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place {
    kDispatch,
    kBodies,
    kCancelOnDisconnect,
    kCompression,
    kVersions,
    kAccessLog,
    kErrorPages,
    kClassic,
    kConcurrency,
    kProcesses,
    kShowErrors,
    kPageEnd,
};

constexpr zend_long kMostConcurrency = 1'000'000;

zend_object_handlers handlers;

struct HttpOptionsObject {
    zend_object object;
};

zend_object* create_options(zend_class_entry* class_entry) {
    return &new_embedded<HttpOptionsObject>(class_entry, handlers)->object;
}

void keep(zend_object* self, Place place, zval* argument) {
    zval* property = OBJ_PROP_NUM(self, place);
    if (argument) {
        ZVAL_COPY(property, argument);
    } else {
        ZVAL_NULL(property);
    }
    Z_PROP_FLAG_P(property) = 0;
}

/// nullptr: the option was not given.
zend_object* object_at(zend_object* options, Place place) {
    const zval* given = OBJ_PROP_NUM(options, place);
    return Z_TYPE_P(given) == IS_OBJECT ? Z_OBJ_P(given) : nullptr;
}

}  // namespace

void init_http_options_class(zend_class_entry* class_entry) {
    http_options_class = class_entry;
    class_entry->create_object = create_options;
    init_handlers<HttpOptionsObject>(handlers, zend_object_std_dtor);
}

void apply_options(zend_object* options, EndpointSpec& endpoint, zend_object*& compression) {
    if (!options) return;
    if (zend_object* dispatch = object_at(options, kDispatch)) endpoint.dispatch = dispatch_of(dispatch);
    if (zend_object* bodies = object_at(options, kBodies)) endpoint.stream_bodies = is_case(bodies, "Stream");
    const zval* cancel = OBJ_PROP_NUM(options, kCancelOnDisconnect);
    if (Z_TYPE_P(cancel) != IS_NULL) endpoint.cancel_on_disconnect = Z_TYPE_P(cancel) == IS_TRUE;
    const zval* classic = OBJ_PROP_NUM(options, kClassic);
    if (Z_TYPE_P(classic) != IS_NULL) endpoint.classic = Z_TYPE_P(classic) == IS_TRUE;
    const zval* concurrency = OBJ_PROP_NUM(options, kConcurrency);
    if (Z_TYPE_P(concurrency) == IS_LONG) {
        endpoint.concurrency = static_cast<uint32_t>(Z_LVAL_P(concurrency));
        endpoint.concurrency_of = EndpointSpec::kItself;
    }
    const zval* processes = OBJ_PROP_NUM(options, kProcesses);
    if (Z_TYPE_P(processes) != IS_NULL) {
        const bool has_bounds = Z_TYPE_P(processes) == IS_OBJECT;
        endpoint.processes =
            has_bounds ? most_of(Z_OBJ_P(processes)) : static_cast<uint32_t>(Z_LVAL_P(processes));
        endpoint.script_pool = has_bounds ? bounds_of(Z_OBJ_P(processes)) : usual_bounds(endpoint.processes);
        endpoint.processes_of = EndpointSpec::kItself;
    }
    // A body that arrives comes to the worker.
    if (endpoint.processes > 0) endpoint.stream_bodies = false;
    if (zend_object* chosen = object_at(options, kCompression)) compression = chosen;
    if (Z_TYPE_P(OBJ_PROP_NUM(options, kCompression)) == IS_FALSE) compression = nullptr;
    if (zend_object* versions = object_at(options, kVersions)) {
        endpoint.http1 = !is_case(versions, "Http2");
        endpoint.http2 = !is_case(versions, "Http1");
    }
    if (zend_object* log = object_at(options, kAccessLog)) endpoint.access_log = access_log_of(log);
    if (zend_object* pages = object_at(options, kErrorPages)) endpoint.error_pages = error_pages_of(pages);
}

bool shows_errors(zend_object* options, bool otherwise) {
    const zval* given = options ? OBJ_PROP_NUM(options, kShowErrors) : nullptr;
    return given && Z_TYPE_P(given) != IS_NULL ? Z_TYPE_P(given) == IS_TRUE : otherwise;
}

zend_string* page_end(zend_object* options, zend_string* otherwise) {
    const zval* given = options ? OBJ_PROP_NUM(options, kPageEnd) : nullptr;
    return given && Z_TYPE_P(given) == IS_STRING ? Z_STR_P(given) : otherwise;
}

bool check_route_options(zend_object* options, uint32_t number) {
    if (!options) return true;
    const char* name = object_at(options, kVersions) ? "versions" : nullptr;
    if (object_at(options, kAccessLog)) name = "accessLog";
    if (name) zend_argument_value_error(number, "must not have $%s, which is for whole sites only", name);
    return !name;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_Options, __construct) {
    zval *dispatch = nullptr, *bodies = nullptr, *compression = nullptr, *versions = nullptr,
         *access_log = nullptr, *error_pages = nullptr;
    bool cancel_on_disconnect = false, cancel_on_disconnect_null = true;
    bool classic = false, classic_null = true, concurrency_null = true, processes_null = true;
    bool show_errors = false, show_errors_null = true;
    zend_long concurrency = 0, processes = 0;
    zend_object* bounds = nullptr;
    zend_string* page_end = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 12)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(dispatch, dispatch_class)
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(bodies, bodies_class)
    Z_PARAM_BOOL_OR_NULL(cancel_on_disconnect, cancel_on_disconnect_null)
    Z_PARAM_ZVAL(compression)
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(versions, versions_class)
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(access_log, access_log_class)
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(error_pages, error_pages_class)
    Z_PARAM_BOOL_OR_NULL(classic, classic_null)
    Z_PARAM_LONG_OR_NULL(concurrency, concurrency_null)
    Z_PARAM_OBJ_OF_CLASS_OR_LONG_OR_NULL(bounds, processes_class, processes, processes_null)
    Z_PARAM_BOOL_OR_NULL(show_errors, show_errors_null)
    Z_PARAM_STR_OR_NULL(page_end)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, 0)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\Http\\Options is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (compression && Z_TYPE_P(compression) > IS_FALSE &&
        (Z_TYPE_P(compression) != IS_OBJECT || Z_OBJCE_P(compression) != http_compression_class)) {
        zend_argument_type_error(4, "must be of type Sluice\\Http\\Compression|false|null, %s given",
                                 zend_zval_type_name(compression));
        RETURN_THROWS();
    }
    if (!concurrency_null && (concurrency < 1 || concurrency > kMostConcurrency)) {
        zend_argument_value_error(9, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostConcurrency, concurrency);
        RETURN_THROWS();
    }
    if (!processes_null && !bounds && (processes < 0 || processes > kMostProcesses)) {
        zend_argument_value_error(10, "must be between 0 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostProcesses, processes);
        RETURN_THROWS();
    }
    zval given = {};
    keep(self, kDispatch, dispatch);
    keep(self, kBodies, bodies);
    ZVAL_BOOL(&given, cancel_on_disconnect);
    keep(self, kCancelOnDisconnect, cancel_on_disconnect_null ? nullptr : &given);
    keep(self, kCompression, compression);
    keep(self, kVersions, versions);
    keep(self, kAccessLog, access_log);
    keep(self, kErrorPages, error_pages);
    ZVAL_BOOL(&given, classic);
    keep(self, kClassic, classic_null ? nullptr : &given);
    ZVAL_LONG(&given, concurrency);
    keep(self, kConcurrency, concurrency_null ? nullptr : &given);
    ZVAL_LONG(&given, processes);
    if (bounds) ZVAL_OBJ(&given, bounds);
    keep(self, kProcesses, processes_null && !bounds ? nullptr : &given);
    ZVAL_BOOL(&given, show_errors);
    keep(self, kShowErrors, show_errors_null ? nullptr : &given);
    if (page_end) ZVAL_STR(&given, page_end);
    keep(self, kPageEnd, page_end ? &given : nullptr);
}
