#include "php/server/tracing_arguments.h"

#include <algorithm>
#include <cstdlib>

#include "php/zend/errors.h"
#include "protocol/http/http_syntax.h"
#include "server/observer/collector.h"
#include "server/observer/otel_environment.h"

namespace sluice::php {

namespace {

/// A field of this name comes instead of the environment's.
bool add_header(const zend_string* name, zval* value, TracingSpec::Pairs& headers) {
    ZVAL_DEREF(value);
    if (!name || !http::is_token(view(name)) || Z_TYPE_P(value) != IS_STRING ||
        !http::is_field_value(view(Z_STR_P(value)))) {
        // Without the value itself: messages end up in logs.
        zend_argument_value_error(4, "must be names and values of header fields, which \"%s\" is not",
                                  name ? ZSTR_VAL(name) : "0");
        return false;
    }
    std::erase_if(headers,
                  [name](const auto& pair) { return http::equals_caseless(pair.first, view(name)); });
    headers.emplace_back(view(name), view(Z_STR_P(value)));
    return true;
}

bool add_headers(HashTable* fields, TracingSpec::Pairs& headers) {
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(fields, name, value) {
        if (!add_header(name, value, headers)) return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool check(const TracingArguments& arguments) {
    if (arguments.endpoint && !CollectorUrl::parse(view(arguments.endpoint))) {
        zend_argument_value_error(1, "must be a URL that begins with http:// and a host, \"%s\" given",
                                  ZSTR_VAL(arguments.endpoint));
        return false;
    }
    if (arguments.has_ratio && !(arguments.ratio >= 0 && arguments.ratio <= 1)) {
        zend_argument_value_error(2, "must be between 0 and 1, %g given", arguments.ratio);
        return false;
    }
    if (arguments.service && ZSTR_LEN(arguments.service) == 0) {
        zend_argument_value_error(3, "must not be empty");
        return false;
    }
    return true;
}

/// False when an error handler of the application has thrown.
bool tell(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
        php_error_docref(nullptr, E_WARNING, "%s", warning.c_str());
        if (EG(exception)) return false;
    }
    return true;
}

}  // namespace

bool read_tracing(const TracingArguments& arguments, TracingSpec& spec) {
    if (!check(arguments)) return false;
    OtelEnvironment environment(getenv);
    TracingSpec read;
    if (arguments.endpoint) {
        read.endpoint = view(arguments.endpoint);
    } else if (!environment.is_disabled()) {
        read.endpoint = environment.endpoint();
    }
    TracingSpec::Pairs headers;
    // What is not sent anyway needs no warnings.
    if (!read.endpoint.empty()) {
        environment.read_resource(read);
        headers = environment.headers();
        if (!arguments.has_ratio) environment.read_sampler(read);
    }
    if (arguments.has_ratio) read.ratio = arguments.ratio;
    if (arguments.service) read.service = view(arguments.service);
    if (read.service.empty()) read.service = "unknown_service:php";
    if (arguments.headers && !add_headers(arguments.headers, headers)) return false;
    for (const auto& [name, value] : headers)
        ((((read.headers += name) += ": ") += value)) += "\r\n";
    if (!tell(environment.warnings())) return false;
    spec = std::move(read);
    return true;
}

}  // namespace sluice::php
