#include "php/shared/stored_value.h"

#include <bit>

#include "php/zend/errors.h"

// The header lacks extern "C".
extern "C" {
#include <ext/standard/php_var.h>
}

namespace sluice::php {

using Kind = SharedValue::Kind;

bool store(zval* from, StoredValue& to) {
    ZVAL_DEREF(from);
    to = {};
    switch (Z_TYPE_P(from)) {
        case IS_NULL: return true;
        case IS_FALSE: to.value.kind = Kind::kFalse; return true;
        case IS_TRUE: to.value.kind = Kind::kTrue; return true;
        case IS_LONG: to.value = {Kind::kInt, Z_LVAL_P(from), {}}; return true;
        case IS_DOUBLE: to.value = {Kind::kDouble, std::bit_cast<int64_t>(Z_DVAL_P(from)), {}}; return true;
        case IS_STRING: to.value = {Kind::kString, 0, view(Z_STR_P(from))}; return true;
        case IS_RESOURCE:
            zend_type_error("A resource belongs to one process, and cannot be shared");
            return false;
        default: break;
    }
    smart_str text = {};
    php_serialize_data_t data;
    PHP_VAR_SERIALIZE_INIT(data);
    php_var_serialize(&text, from, &data);
    PHP_VAR_SERIALIZE_DESTROY(data);
    if (EG(exception)) {
        smart_str_free(&text);
        return false;
    }
    to.serialized = smart_str_extract(&text);
    to.value = {Kind::kSerialized, 0, view(to.serialized)};
    return true;
}

void release(StoredValue& stored) {
    if (stored.serialized) zend_string_release(stored.serialized);
    stored.serialized = nullptr;
}

bool restore(const SharedMap::Found& found, std::string_view bytes, zval* to) {
    switch (found.kind) {
        case Kind::kNull: ZVAL_NULL(to); return true;
        case Kind::kFalse: ZVAL_FALSE(to); return true;
        case Kind::kTrue: ZVAL_TRUE(to); return true;
        case Kind::kInt: ZVAL_LONG(to, found.number); return true;
        case Kind::kDouble: ZVAL_DOUBLE(to, std::bit_cast<double>(found.number)); return true;
        case Kind::kString: ZVAL_STR(to, new_string(bytes)); return true;
        case Kind::kSerialized: break;
    }
    // Copy first: __wakeup() may call this function again, and the bytes are in a shared buffer.
    zend_string* const text = new_string(bytes);
    const auto* at = reinterpret_cast<const unsigned char*>(ZSTR_VAL(text));
    php_unserialize_data_t data;
    PHP_VAR_UNSERIALIZE_INIT(data);
    ZVAL_NULL(to);
    const bool is_whole = php_var_unserialize(to, &at, at + ZSTR_LEN(text), &data);
    PHP_VAR_UNSERIALIZE_DESTROY(data);
    zend_string_release(text);
    if (is_whole && !EG(exception)) return true;
    zval_ptr_dtor(to);
    ZVAL_NULL(to);
    if (!EG(exception))
        throw_server_exception("A shared value cannot be unserialized: its class may have changed");
    return false;
}

}  // namespace sluice::php
