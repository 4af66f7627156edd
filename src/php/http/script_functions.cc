#include "php/http/script_functions.h"

#include <cctype>

#include "php/http/script_fields.h"
#include "php/stubs/scripts_arginfo.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

ServedRequest* (*find_request)() = nullptr;

ServedRequest* served() {
    return find_request ? find_request() : nullptr;
}

/// As Apache writes it: X-Forwarded-For.
zend_string* capitalized(std::string_view name) {
    zend_string* const text = new_string(name);
    bool begins = true;
    for (size_t i = 0; i < ZSTR_LEN(text); ++i) {
        const auto letter = static_cast<unsigned char>(ZSTR_VAL(text)[i]);
        ZSTR_VAL(text)[i] = static_cast<char>(begins ? toupper(letter) : tolower(letter));
        begins = letter == '-';
    }
    return text;
}

/// Fields of one name form one list.
void add_field(zval* array, zend_string* name, std::string_view value) {
    zval text;
    zval* const old = zend_symtable_find(Z_ARRVAL_P(array), name);
    if (old) {
        ZVAL_STR(&text,
                 zend_string_concat3(Z_STRVAL_P(old), Z_STRLEN_P(old), ", ", 2, value.data(), value.size()));
    } else {
        ZVAL_STR(&text, new_string(value));
    }
    zend_symtable_update(Z_ARRVAL_P(array), name, &text);
    zend_string_release(name);
}

/// Functions belong to a module, into which opcache looks. One that is not there for good: what a file asks
/// about it is not settled for workers, which run the same compiled file without these functions.
zend_module_entry& module_of_functions() {
    static zend_module_entry module = [] {
        zend_module_entry copy =
            *static_cast<zend_module_entry*>(zend_hash_str_find_ptr(&module_registry, ZEND_STRL("sluice")));
        copy.type = MODULE_TEMPORARY;
        return copy;
    }();
    return module;
}

unsigned offer(int type) {
    unsigned added = 0;
    zend_module_entry* const running = EG(current_module);
    EG(current_module) = &module_of_functions();
    for (const zend_function_entry* entry = ext_functions; entry->fname; ++entry) {
        if (zend_hash_str_exists(CG(function_table), entry->fname, strlen(entry->fname))) continue;
        const zend_function_entry one[] = {*entry, ZEND_FE_END};
        if (zend_register_functions(nullptr, one, nullptr, type) == SUCCESS) ++added;
    }
    EG(current_module) = running;
    return added;
}

}  // namespace

void offer_script_functions(ServedRequest* (*find)()) {
    find_request = find;
    offer(MODULE_PERSISTENT);
}

void keep_script_functions(ServedRequest* (*find)()) {
    find_request = find;
    // PHP drops functions beyond this number at the end of each of its requests.
    EG(persistent_functions_count) += offer(MODULE_PERSISTENT);
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_FUNCTION(getallheaders) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    const ServedRequest* const request = served();
    if (!request) return;
    for (const sluice::http::Field& field : request->fields())
        add_field(return_value, capitalized(field.name.in(request->text())), field.value.in(request->text()));
}

ZEND_FUNCTION(apache_response_headers) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    const zend_llist& headers = SG(sapi_headers).headers;
    for (const zend_llist_element* element = headers.head; element; element = element->next) {
        const ScriptField field = field_in(*reinterpret_cast<const sapi_header_struct*>(element->data));
        if (!field.name.empty()) add_field(return_value, new_string(field.name), field.value);
    }
}

ZEND_FUNCTION(fastcgi_finish_request) {
    ZEND_PARSE_PARAMETERS_NONE();
    ServedRequest* const request = served();
    RETURN_BOOL(request && request->finish());
}
