#include "php/options/access_log_class.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* access_log_class = nullptr;
zend_class_entry* log_format_class = nullptr;

namespace {

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kPath, kFormat };

zend_object_handlers handlers;

struct AccessLogObject {
    zend_object object;
};

zend_object* create_access_log(zend_class_entry* class_entry) {
    return &new_embedded<AccessLogObject>(class_entry, handlers)->object;
}

/// Why the file cannot be appended to; nullptr: it can.
const char* fault_of(zend_string* path) {
    const std::string_view name = view(path);
    if (name == "php://stdout" || name == "php://stderr") return nullptr;
    struct stat status;
    if (stat(ZSTR_VAL(path), &status) == 0) {
        if (S_ISDIR(status.st_mode)) return "it is a directory";
        return access(ZSTR_VAL(path), W_OK) == 0 ? nullptr : strerror(errno);
    }
    if (errno != ENOENT) return strerror(errno);
    zend_string* folder = zend_string_init(ZSTR_VAL(path), ZSTR_LEN(path), false);
    ZSTR_LEN(folder) = zend_dirname(ZSTR_VAL(folder), ZSTR_LEN(folder));
    const char* fault =
        access(ZSTR_LEN(folder) ? ZSTR_VAL(folder) : ".", W_OK | X_OK) == 0 ? nullptr : strerror(errno);
    zend_string_release(folder);
    return fault;
}

http::AccessFormat format_of(zend_object* case_object) {
    const std::string_view name = view(Z_STR_P(zend_enum_fetch_case_name(case_object)));
    if (name == "Common") return http::AccessFormat::kCommon;
    return name == "Json" ? http::AccessFormat::kJson : http::AccessFormat::kCombined;
}

}  // namespace

void init_access_log_class(zend_class_entry* class_entry) {
    access_log_class = class_entry;
    class_entry->create_object = create_access_log;
    init_handlers<AccessLogObject>(handlers, zend_object_std_dtor);
}

AccessLogOptions access_log_of(zend_object* object) {
    return {std::string(view(Z_STR_P(OBJ_PROP_NUM(object, kPath)))),
            format_of(Z_OBJ_P(OBJ_PROP_NUM(object, kFormat)))};
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_AccessLog, __construct) {
    zend_string* path;
    zend_object* format = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_PATH_STR(path)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJ_OF_CLASS(format, log_format_class)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, kPath)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\Http\\AccessLog is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (ZSTR_LEN(path) == 0) {
        zend_argument_value_error(1, "must not be empty");
        RETURN_THROWS();
    }
    if (const char* fault = fault_of(path)) {
        zend_argument_value_error(1, "must be a file that can be appended to, \"%s\" given: %s",
                                  ZSTR_VAL(path), fault);
        RETURN_THROWS();
    }
    init_property(self, kPath, zend_string_copy(path));
    zval* property = OBJ_PROP_NUM(self, kFormat);
    ZVAL_OBJ_COPY(property, format ? format : zend_enum_get_case_cstr(log_format_class, "Combined"));
    Z_PROP_FLAG_P(property) = 0;
}
