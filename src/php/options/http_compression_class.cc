#include "php/options/http_compression_class.h"

#include <algorithm>

#include "php/zend/objects.h"
#include "protocol/http/content_encoder.h"

namespace sluice::php {

zend_class_entry* http_compression_class = nullptr;
zend_class_entry* http_encoding_class = nullptr;

namespace {

using http::Coding;

/// In the order of the constructor's parameters, which is that of the properties.
enum Place { kEncodings, kMinBytes, kTypes, kGzipLevel, kBrotliLevel, kZstdLevel };

constexpr zend_long kMostMinBytes = zend_long{1} << 30;
constexpr uint32_t kMostTypes = 100;
constexpr const char* kCaseNames[] = {"", "Gzip", "Brotli", "Zstd"};

zend_object_handlers handlers;

struct HttpCompressionObject {
    http::CompressionPolicy* policy;  ///< nullptr until constructed
    zend_object object;
};

void free_compression(zend_object* object) {
    delete embedded<HttpCompressionObject>(object)->policy;
    zend_object_std_dtor(object);
}

zend_object* create_compression(zend_class_entry* class_entry) {
    return &new_embedded<HttpCompressionObject>(class_entry, handlers)->object;
}

uint32_t number_of(Place place) {
    return static_cast<uint32_t>(place) + 1;
}

bool check_range(Place place, zend_long value, zend_long least, zend_long most) {
    if (value >= least && value <= most) return true;
    zend_argument_value_error(
        number_of(place), "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
        least, most, value);
    return false;
}

bool check_level(Place place, Coding coding, zend_long level) {
    const http::LevelRange range = http::level_range(coding);
    return check_range(place, level, range.least, range.most);
}

bool check_encodings(zend_array* encodings) {
    if (!encodings) return true;
    if (zend_hash_num_elements(encodings) == 0 || !zend_array_is_list(encodings)) {
        zend_argument_value_error(number_of(kEncodings), "must be a list with at least one encoding");
        return false;
    }
    zval* item;
    ZEND_HASH_FOREACH_VAL(encodings, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) == IS_OBJECT && Z_OBJCE_P(item) == http_encoding_class) continue;
        zend_argument_type_error(number_of(kEncodings), "must be a list of %s, %s found in it",
                                 ZSTR_VAL(http_encoding_class->name), zend_zval_type_name(item));
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool check_types(zend_array* types) {
    if (!types) return true;
    if (zend_hash_num_elements(types) > kMostTypes || !zend_array_is_list(types)) {
        zend_argument_value_error(number_of(kTypes), "must be a list of at most %u types", kMostTypes);
        return false;
    }
    zval* item;
    ZEND_HASH_FOREACH_VAL(types, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) != IS_STRING) {
            zend_argument_type_error(number_of(kTypes), "must be a list of string, %s found in it",
                                     zend_zval_type_name(item));
            return false;
        }
        if (http::is_type_pattern(view(Z_STR_P(item)))) continue;
        zend_argument_value_error(
            number_of(kTypes),
            "must hold types in lower case like \"text/html\" or \"text/*\", \"%.200s\" given",
            Z_STRVAL_P(item));
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

Coding coding_of(zend_object* case_object) {
    const std::string_view value = view(Z_STR_P(zend_enum_fetch_case_value(case_object)));
    for (const Coding coding : {Coding::kGzip, Coding::kBrotli})
        if (value == http::coding_name(coding)) return coding;
    return Coding::kZstd;
}

/// Called after the checks: nothing here throws or jumps past C++ objects.
void take_encodings(http::CompressionPolicy& policy, zend_array* encodings) {
    if (!encodings) return;
    policy.codings.clear();
    zval* item;
    ZEND_HASH_FOREACH_VAL(encodings, item) {
        ZVAL_DEREF(item);
        const Coding coding = coding_of(Z_OBJ_P(item));
        if (std::find(policy.codings.begin(), policy.codings.end(), coding) == policy.codings.end())
            policy.codings.push_back(coding);
    }
    ZEND_HASH_FOREACH_END();
}

void take_types(http::CompressionPolicy& policy, zend_array* types) {
    if (!types) {
        for (const std::string_view type : http::compressible_types())
            policy.types.emplace_back(type);
        return;
    }
    zval* item;
    ZEND_HASH_FOREACH_VAL(types, item) {
        ZVAL_DEREF(item);
        policy.types.emplace_back(view(Z_STR_P(item)));
    }
    ZEND_HASH_FOREACH_END();
}

void init_array(zend_object* object, Place place, zval* list) {
    zval* property = OBJ_PROP_NUM(object, place);
    ZVAL_COPY_VALUE(property, list);
    Z_PROP_FLAG_P(property) = 0;
}

void show_policy(zend_object* object, const http::CompressionPolicy& policy) {
    zval list;
    array_init(&list);
    for (const Coding coding : policy.codings) {
        zval value;
        ZVAL_OBJ_COPY(&value,
                      zend_enum_get_case_cstr(http_encoding_class, kCaseNames[static_cast<size_t>(coding)]));
        zend_hash_next_index_insert(Z_ARRVAL(list), &value);
    }
    init_array(object, kEncodings, &list);
    init_property(object, kMinBytes, static_cast<zend_long>(policy.min_bytes));
    array_init(&list);
    for (const std::string& type : policy.types)
        add_next_index_stringl(&list, type.data(), type.size());
    init_array(object, kTypes, &list);
    init_property(object, kGzipLevel, zend_long{policy.levels[static_cast<size_t>(Coding::kGzip)]});
    init_property(object, kBrotliLevel, zend_long{policy.levels[static_cast<size_t>(Coding::kBrotli)]});
    init_property(object, kZstdLevel, zend_long{policy.levels[static_cast<size_t>(Coding::kZstd)]});
}

}  // namespace

void init_http_compression_class(zend_class_entry* class_entry) {
    http_compression_class = class_entry;
    class_entry->create_object = create_compression;
    init_handlers<HttpCompressionObject>(handlers, free_compression);
}

const http::CompressionPolicy& policy_of(zend_object* object) {
    return *embedded<HttpCompressionObject>(object)->policy;
}

}  // namespace sluice::php

using namespace sluice::php;
using sluice::http::Coding;

ZEND_METHOD(Sluice_Http_Compression, __construct) {
    zend_array *encodings = nullptr, *types = nullptr;
    zend_long min_bytes = 1024;
    zend_long gzip_level = sluice::http::level_range(Coding::kGzip).usual;
    zend_long brotli_level = sluice::http::level_range(Coding::kBrotli).usual;
    zend_long zstd_level = sluice::http::level_range(Coding::kZstd).usual;
    ZEND_PARSE_PARAMETERS_START(0, 6)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT_OR_NULL(encodings)
    Z_PARAM_LONG(min_bytes)
    Z_PARAM_ARRAY_HT_OR_NULL(types)
    Z_PARAM_LONG(gzip_level)
    Z_PARAM_LONG(brotli_level)
    Z_PARAM_LONG(zstd_level)
    ZEND_PARSE_PARAMETERS_END();

    HttpCompressionObject* self = embedded<HttpCompressionObject>(ZEND_THIS);
    if (self->policy) {
        zend_throw_error(nullptr, "Sluice\\Http\\Compression is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!check_encodings(encodings) || !check_range(kMinBytes, min_bytes, 0, kMostMinBytes) ||
        !check_types(types) || !check_level(kGzipLevel, Coding::kGzip, gzip_level) ||
        !check_level(kBrotliLevel, Coding::kBrotli, brotli_level) ||
        !check_level(kZstdLevel, Coding::kZstd, zstd_level)) {
        RETURN_THROWS();
    }
    self->policy = new sluice::http::CompressionPolicy;
    self->policy->min_bytes = static_cast<uint64_t>(min_bytes);
    take_encodings(*self->policy, encodings);
    take_types(*self->policy, types);
    self->policy->levels[static_cast<size_t>(Coding::kGzip)] = static_cast<int>(gzip_level);
    self->policy->levels[static_cast<size_t>(Coding::kBrotli)] = static_cast<int>(brotli_level);
    self->policy->levels[static_cast<size_t>(Coding::kZstd)] = static_cast<int>(zstd_level);
    show_policy(&self->object, *self->policy);
}
