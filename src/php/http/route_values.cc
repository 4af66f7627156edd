#include "php/http/route_values.h"

#include "php/zend/objects.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/route_pattern.h"

namespace sluice::php {

namespace {

zend_string* decode_value(std::string_view value) {
    if (!http::needs_decoding(value, http::Plus::kLiteral)) return new_string(value);
    zend_string* decoded = zend_string_alloc(value.size(), false);
    const size_t size = http::percent_decode(value, http::Plus::kLiteral, ZSTR_VAL(decoded));
    decoded = zend_string_truncate(decoded, size, false);
    ZSTR_VAL(decoded)[size] = '\0';
    return decoded;
}

}  // namespace

void return_route_parameter(zval* return_value, std::string_view pattern, std::string_view path,
                            zend_string* name) {
    http::RouteParameters parameters(pattern, path);
    for (http::RouteParameters::Parameter parameter; parameters.next(parameter);) {
        if (parameter.name == view(name)) RETURN_STR(decode_value(parameter.value));
    }
    if (pattern.empty()) {
        zend_argument_value_error(1, "must be a parameter of the route, which has none, \"%.200s\" given",
                                  ZSTR_VAL(name));
    } else {
        zend_argument_value_error(1, "must be a parameter of the route \"%.*s\", \"%.200s\" given",
                                  static_cast<int>(pattern.size()), pattern.data(), ZSTR_VAL(name));
    }
    RETURN_THROWS();
}

void return_route_parameters(zval* return_value, std::string_view pattern, std::string_view path) {
    array_init(return_value);
    http::RouteParameters parameters(pattern, path);
    for (http::RouteParameters::Parameter parameter; parameters.next(parameter);) {
        zval value;
        ZVAL_STR(&value, decode_value(parameter.value));
        zend_hash_str_update(Z_ARRVAL_P(return_value), parameter.name.data(), parameter.name.size(), &value);
    }
}

}  // namespace sluice::php
