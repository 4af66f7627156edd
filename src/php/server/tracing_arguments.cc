#include "php/server/tracing_arguments.h"

#include <cstdlib>

#include "php/zend/errors.h"
#include "protocol/http/http_syntax.h"
#include "server/observer/collector.h"

namespace sluice::php {

namespace {

/// Empty when it is not set: OpenTelemetry's specification has an empty variable mean that.
std::string_view variable(const char* name) {
    const char* const value = getenv(name);
    return value ? std::string_view(value) : std::string_view();
}

std::string endpoint_of_environment() {
    if (const std::string_view whole = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"); !whole.empty())
        return std::string(whole);
    std::string base(variable("OTEL_EXPORTER_OTLP_ENDPOINT"));
    if (base.empty()) return base;
    if (base.ends_with('/')) base.pop_back();
    return base + "/v1/traces";
}

bool add_header(const zend_string* name, zval* value, std::string& headers) {
    ZVAL_DEREF(value);
    if (!name || !http::is_token(view(name)) || Z_TYPE_P(value) != IS_STRING ||
        !http::is_field_value(view(Z_STR_P(value)))) {
        // Without the value itself: messages end up in logs.
        zend_argument_value_error(4, "must be names and values of header fields, which \"%s\" is not",
                                  name ? ZSTR_VAL(name) : "0");
        return false;
    }
    ((headers += view(name)) += ": ") += view(Z_STR_P(value));
    headers += "\r\n";
    return true;
}

}  // namespace

bool read_tracing(const TracingArguments& arguments, TracingSpec& spec) {
    TracingSpec read;
    read.endpoint = arguments.endpoint ? std::string(view(arguments.endpoint)) : endpoint_of_environment();
    if ((arguments.endpoint || !read.endpoint.empty()) && !CollectorUrl::parse(read.endpoint)) {
        zend_argument_value_error(1, "must be a URL that begins with http:// and a host, \"%s\" %s",
                                  read.endpoint.c_str(),
                                  arguments.endpoint ? "given" : "is what the environment says");
        return false;
    }
    if (arguments.has_ratio) {
        read.ratio = arguments.ratio;
    } else if (const std::string_view text = variable("OTEL_TRACES_SAMPLER_ARG"); !text.empty()) {
        char* end = nullptr;
        read.ratio = strtod(text.data(), &end);
        if (end != text.data() + text.size()) read.ratio = -1;
    }
    if (!(read.ratio >= 0 && read.ratio <= 1)) {
        if (arguments.has_ratio) {
            zend_argument_value_error(2, "must be between 0 and 1, %g given", read.ratio);
        } else {
            zend_argument_value_error(2, "must be between 0 and 1, OTEL_TRACES_SAMPLER_ARG is \"%s\"",
                                      getenv("OTEL_TRACES_SAMPLER_ARG"));
        }
        return false;
    }
    if (arguments.service && ZSTR_LEN(arguments.service) == 0) {
        zend_argument_value_error(3, "must not be empty");
        return false;
    }
    read.service =
        arguments.service ? std::string(view(arguments.service)) : std::string(variable("OTEL_SERVICE_NAME"));
    if (read.service.empty()) read.service = "unknown_service:php";
    if (arguments.headers) {
        zend_string* name;
        zval* value;
        ZEND_HASH_FOREACH_STR_KEY_VAL(arguments.headers, name, value) {
            if (!add_header(name, value, read.headers)) return false;
        }
        ZEND_HASH_FOREACH_END();
    }
    if (!arguments.endpoint && variable("OTEL_SDK_DISABLED") == "true") read.endpoint.clear();
    spec = std::move(read);
    return true;
}

}  // namespace sluice::php
