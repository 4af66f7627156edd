#include "php/options/tls_class.h"

#include "io/tls_context.h"
#include "php/zend/enum_cases.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* tls_class = nullptr;
zend_class_entry* tls_version_class = nullptr;

namespace {

zend_object_handlers handlers;

struct TlsObject {
    TlsOptions* options;  ///< nullptr until constructed
    zend_object object;
};

void free_tls(zend_object* object) {
    delete embedded<TlsObject>(object)->options;
    zend_object_std_dtor(object);
}

zend_object* create_tls(zend_class_entry* class_entry) {
    return &new_embedded<TlsObject>(class_entry, handlers)->object;
}

TlsVersion tls_version_of(zend_object* case_object) {
    return is_case(case_object, "V1_3") ? TlsVersion::k1_3 : TlsVersion::k1_2;
}

/// Sets an absolute path: other processes may have another directory. False when it has thrown.
bool set_path(std::string& to, zend_string* path, uint32_t number) {
    char whole[MAXPATHLEN];
    if (ZSTR_LEN(path) == 0) {
        zend_argument_value_error(number, "must not be empty");
        return false;
    }
    if (!expand_filepath(ZSTR_VAL(path), whole)) {
        zend_argument_value_error(number, "must be a path, \"%s\" given", ZSTR_VAL(path));
        return false;
    }
    to = whole;
    return true;
}

bool is_host_name(std::string_view name) {
    if (name.substr(0, 2) == "*.") name.remove_prefix(2);
    if (name.empty() || name.size() > 255) return false;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '.' && c != '_') return false;
    }
    return true;
}

/// A path in a pair of `$names`; nullptr when it is not a string.
zend_string* path_in(zval* pair, zend_ulong index) {
    zval* value = zend_hash_index_find_deref(Z_ARRVAL_P(pair), index);
    if (!value || Z_TYPE_P(value) != IS_STRING || CHECK_NULL_PATH(Z_STRVAL_P(value), Z_STRLEN_P(value)))
        return nullptr;
    return Z_STR_P(value);
}

/// Adds what `$names` holds; false when it has thrown.
bool add_names(TlsOptions& options, HashTable* names) {
    constexpr uint32_t kNumber = 3;
    zend_string* name;
    zval* pair;
    ZEND_HASH_FOREACH_STR_KEY_VAL(names, name, pair) {
        ZVAL_DEREF(pair);
        if (!name || !is_host_name(view(name))) {
            zend_argument_value_error(
                kNumber,
                "must have host names as keys, like \"example.org\" or \"*.example.org\", \"%s\" given",
                name ? ZSTR_VAL(name) : "a number");
            return false;
        }
        zend_string* chain = nullptr;
        zend_string* key = nullptr;
        if (Z_TYPE_P(pair) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(pair)) == 2) {
            chain = path_in(pair, 0);
            key = path_in(pair, 1);
        }
        if (!chain || !key) {
            zend_argument_value_error(kNumber, "must have [certificate file, key file] for \"%s\"",
                                      ZSTR_VAL(name));
            return false;
        }
        TlsOptions::Certificate& certificate = options.certificates.emplace_back();
        certificate.name = view(name);
        if (!set_path(certificate.chain, chain, kNumber) || !set_path(certificate.key, key, kNumber))
            return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

/// Why these options cannot be used, or empty. Holds C++ objects, so nothing here may call into PHP.
Sentence check(const TlsOptions& options) {
    std::string error;
    return TlsContext::create(options, error) ? Sentence() : Sentence(error);
}

}  // namespace

void init_tls_class(zend_class_entry* class_entry) {
    tls_class = class_entry;
    class_entry->create_object = create_tls;
    init_handlers<TlsObject>(handlers, free_tls);
}

const TlsOptions& tls_of(zend_object* object) {
    return *embedded<TlsObject>(object)->options;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Tls, __construct) {
    zend_string *certificate, *key, *client_ca = nullptr;
    HashTable* names = nullptr;
    zend_object* minimum_version = nullptr;
    bool require = false;
    ZEND_PARSE_PARAMETERS_START(2, 6)
    Z_PARAM_PATH_STR(certificate)
    Z_PARAM_PATH_STR(key)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT(names)
    Z_PARAM_PATH_STR_OR_NULL(client_ca)
    Z_PARAM_BOOL(require)
    Z_PARAM_OBJ_OF_CLASS(minimum_version, tls_version_class)
    ZEND_PARSE_PARAMETERS_END();

    TlsObject* self = embedded<TlsObject>(ZEND_THIS);
    if (self->options) {
        zend_throw_error(nullptr, "Sluice\\Tls is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (require && !client_ca) {
        zend_argument_value_error(5,
                                  "must be false without $clientCa: no client certificate could be checked");
        RETURN_THROWS();
    }
    // The object owns it from the start, so that it is freed whatever fails below.
    self->options = new sluice::TlsOptions;
    sluice::TlsOptions& options = *self->options;
    options.certificates.emplace_back();
    options.require_client_certificate = require;
    if (minimum_version) options.minimum_version = tls_version_of(minimum_version);
    if (!set_path(options.certificates[0].chain, certificate, 1) ||
        !set_path(options.certificates[0].key, key, 2) || (names && !add_names(options, names)) ||
        (client_ca && !set_path(options.client_ca, client_ca, 4))) {
        RETURN_THROWS();
    }
    const Sentence wrong = check(options);
    if (!wrong.empty()) {
        zend_value_error("%s", wrong.text());
        RETURN_THROWS();
    }
}
