// The methods of Sluice\Http\Response that compose structured fields.

// clang-format off
#include "php/zend/php_api.h"
extern "C" {  // which that header does not say itself
#include <ext/date/php_date.h>
}
// clang-format on

#include "php/http/event_stream_class.h"
#include "php/http/response_class.h"
#include "php/http/response_encoding.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/worker/delivery.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/enum_cases.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/conditions.h"
#include "protocol/http/http1_body.h"
#include "protocol/http/http_date.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/set_cookie.h"

zend_class_entry* sluice::php::same_site_class = nullptr;

using namespace sluice::php;
namespace http = sluice::http;

namespace {

constexpr zend_long kLastSecond = 253402300799;  // of the year 9999

/// Seconds since 1970 out of an int or a DateTimeInterface; false when it has thrown.
bool parse_time(uint32_t number, zend_object* object, zend_long& seconds) {
    if (object) {
        zval result;
        ZVAL_UNDEF(&result);
        zend_call_method_with_0_params(object, object->ce, nullptr, "gettimestamp", &result);
        if (EG(exception)) return false;
        seconds = zval_get_long(&result);
        zval_ptr_dtor(&result);
    }
    if (seconds >= 0 && seconds <= kLastSecond) return true;
    zend_argument_value_error(
        number, "must be between 1970 and the end of the year 9999, " ZEND_LONG_FMT " given", seconds);
    return false;
}

http::SameSite same_site_of(zend_object* case_object) {
    if (is_case(case_object, "Strict")) return http::SameSite::kStrict;
    return is_case(case_object, "Lax") ? http::SameSite::kLax : http::SameSite::kNone;
}

/// The places of cookie()'s parameters.
enum CookieArgument : uint32_t { kName = 1, kValue, kExpires, kMaxAge, kPath, kDomain, kSecure };

uint32_t argument_of(http::CookieFault::Member member) {
    using Member = http::CookieFault::Member;
    switch (member) {
        case Member::kValue: return kValue;
        case Member::kPath: return kPath;
        case Member::kDomain: return kDomain;
        case Member::kSecure: return kSecure;
        default: return kName;
    }
}

}  // namespace

ZEND_METHOD(Sluice_Http_Response, cookie) {
    zend_string *name, *value = zend_empty_string, *path = nullptr, *domain = zend_empty_string;
    zend_object *expires = nullptr, *same_site = nullptr;
    zend_long expires_s = 0, max_age_s = 0;
    bool no_expires = true, no_max_age = true, secure = false, http_only = true, partitioned = false;
    ZEND_PARSE_PARAMETERS_START(1, 10)
    Z_PARAM_STR(name)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(value)
    Z_PARAM_OBJ_OF_CLASS_OR_LONG_OR_NULL(expires, php_date_get_interface_ce(), expires_s, no_expires)
    Z_PARAM_LONG_OR_NULL(max_age_s, no_max_age)
    Z_PARAM_STR(path)
    Z_PARAM_STR(domain)
    Z_PARAM_BOOL(secure)
    Z_PARAM_BOOL(http_only)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(same_site, same_site_class)
    Z_PARAM_BOOL(partitioned)
    ZEND_PARSE_PARAMETERS_END();

    if (!before_head(Z_OBJ_P(ZEND_THIS))) RETURN_THROWS();
    const bool expires_given = expires || !no_expires;
    if (expires_given && !parse_time(kExpires, expires, expires_s)) RETURN_THROWS();
    http::SetCookie cookie;
    cookie.name = view(name);
    cookie.value = view(value);
    cookie.path = path ? view(path) : "/";
    cookie.domain = view(domain);
    if (expires_given) cookie.expires_s = expires_s;
    if (!no_max_age) cookie.max_age_s = max_age_s;
    cookie.secure = secure;
    cookie.http_only = http_only;
    cookie.partitioned = partitioned;
    // Not passed is Lax; null is no attribute.
    if (same_site) {
        cookie.same_site = same_site_of(same_site);
    } else if (ZEND_NUM_ARGS() < 9) {
        cookie.same_site = http::SameSite::kLax;
    }
    const http::CookieFault fault = http::check_cookie(cookie);
    if (fault.member != http::CookieFault::Member::kNone) {
        zend_argument_value_error(argument_of(fault.member), "%s", fault.must);
        RETURN_THROWS();
    }
    // Asked again: a DateTimeInterface of the application's own may have sent the head.
    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    zend_string* text = zend_string_alloc(http::set_cookie_bound(cookie), false);
    append_field(self, "Set-Cookie", {ZSTR_VAL(text), http::write_set_cookie(cookie, ZSTR_VAL(text))});
    zend_string_efree(text);
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, earlyHints) {
    zval* links;
    uint32_t count;
    ZEND_PARSE_PARAMETERS_START(1, -1)
    Z_PARAM_VARIADIC('+', links, count)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    for (uint32_t index = 0; index < count; ++index) {
        if (Z_TYPE(links[index]) != IS_STRING) {
            zend_argument_type_error(index + 1, "must be of type string, %s given",
                                     zend_zval_type_name(&links[index]));
            RETURN_THROWS();
        }
        if (Z_STRLEN(links[index]) == 0 || !http::is_field_value(view(Z_STR(links[index])))) {
            zend_argument_value_error(index + 1,
                                      "must not be empty or hold CR, LF, NUL or another control character");
            RETURN_THROWS();
        }
    }
    smart_str fields = {};
    for (uint32_t index = 0; index < count; ++index) {
        smart_str_appends(&fields, "Link: ");
        smart_str_append(&fields, Z_STR(links[index]));
        smart_str_appends(&fields, "\r\n");
    }
    const sluice::Command command{.what = sluice::command::Inform{self->request, view(fields.s)},
                                  .connection = self->connection};
    const sluice::Delivery delivery = submit(*current_worker(), command);
    if (delivery != sluice::Delivery::kDropped) current_worker()->port->flush();
    smart_str_free(&fields);
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}

ZEND_METHOD(Sluice_Http_Response, trailer) {
    zend_string *name, *value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(name)
    Z_PARAM_STR(value)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = unfinished(Z_OBJ_P(ZEND_THIS));
    if (!self || !check_field(view(name), view(value))) RETURN_THROWS();
    if (sluice::http1::is_forbidden_in_trailers(view(name))) {
        zend_argument_value_error(1, "must not be \"%s\": it has to be known before the body",
                                  ZSTR_VAL(name));
        RETURN_THROWS();
    }
    smart_str_append(&self->trailers, name);
    smart_str_appends(&self->trailers, ": ");
    smart_str_append(&self->trailers, value);
    smart_str_appends(&self->trailers, "\r\n");
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, etag) {
    zend_string* tag;
    bool weak = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(tag)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(weak)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    if (!http::is_entity_tag(view(tag))) {
        zend_argument_value_error(1, "must not hold quotes, blanks or control characters");
        RETURN_THROWS();
    }
    zend_string* etag =
        zend_strpprintf(0, "%s\"%.*s\"", weak ? "W/" : "", static_cast<int>(ZSTR_LEN(tag)), ZSTR_VAL(tag));
    if (self->etag) zend_string_release(self->etag);
    self->etag = etag;
    remove_field(self, "etag");
    append_field(self, "ETag", view(etag));
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, lastModified) {
    zend_object* object = nullptr;
    zend_long seconds = 0;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJ_OF_CLASS_OR_LONG(object, php_date_get_interface_ce(), seconds)
    ZEND_PARSE_PARAMETERS_END();

    if (!parse_time(1, object, seconds)) RETURN_THROWS();
    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    self->last_modified_s = seconds;
    self->has_last_modified = true;
    char date[http::kDateBytes];
    http::format_date(seconds, date);
    remove_field(self, "last-modified");
    append_field(self, "Last-Modified", {date, sizeof date});
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, endByCondition) {
    ZEND_PARSE_PARAMETERS_NONE();
    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    const uint16_t status = status_by_condition(self, true);
    if (status == 0) RETURN_FALSE;
    finish_without_body(self, status);
    RETURN_TRUE;
}

ZEND_METHOD(Sluice_Http_Response, withoutCompression) {
    ZEND_PARSE_PARAMETERS_NONE();
    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    forbid_encoding(self);
    RETURN_OBJ_COPY(&self->object);
}

ZEND_METHOD(Sluice_Http_Response, events) {
    ZEND_PARSE_PARAMETERS_NONE();
    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    remove_field(self, "content-type");
    remove_field(self, "content-length");
    self->has_length = false;
    append_field(self, "Content-Type", "text/event-stream");
    self->has_content_type = true;
    if (!has_field(self, "cache-control")) append_field(self, "Cache-Control", "no-cache");
    write_part(self, {});
    RETURN_OBJ(new_event_stream(&self->object));
}
