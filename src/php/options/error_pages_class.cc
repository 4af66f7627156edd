#include "php/options/error_pages_class.h"

#include "core/utf8.h"
#include "php/zend/enum_cases.h"
#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* error_pages_class = nullptr;
zend_class_entry* error_format_class = nullptr;

namespace {

constexpr zend_ulong kLeastStatus = 400, kMostStatus = 599;
/// Limit of all pages together: each process with clients keeps them.
constexpr size_t kMostBytes = 1 << 20;

zend_object_handlers handlers;

struct ErrorPagesObject {
    std::shared_ptr<const http::ErrorPages>* pages;  ///< nullptr until constructed
    zend_object object;
};

void free_pages(zend_object* object) {
    delete embedded<ErrorPagesObject>(object)->pages;
    zend_object_std_dtor(object);
}

zend_object* create_pages(zend_class_entry* class_entry) {
    return &new_embedded<ErrorPagesObject>(class_entry, handlers)->object;
}

http::ErrorFormat format_of(zend_object* case_object) {
    if (is_case(case_object, "Html")) return http::ErrorFormat::kHtml;
    return is_case(case_object, "Json") ? http::ErrorFormat::kJson : http::ErrorFormat::kText;
}

/// What argument `number` holds, by status. False when it has thrown.
bool take_pages(http::ErrorPages::ByStatus& pages, HashTable* given, uint32_t number, size_t& bytes) {
    if (!given) return true;
    zend_ulong status;
    zend_string* name;
    zval* page;
    ZEND_HASH_FOREACH_KEY_VAL(given, status, name, page) {
        ZVAL_DEREF(page);
        const bool is_for_others = name && view(name) == "*";
        if (name && !is_for_others) {
            zend_argument_value_error(number, "must have statuses or \"*\" as keys, \"%.100s\" given",
                                      ZSTR_VAL(name));
            return false;
        }
        if (!name && (status < kLeastStatus || status > kMostStatus)) {
            zend_argument_value_error(number,
                                      "must have pages for statuses from 400 to 599, " ZEND_LONG_FMT " given",
                                      static_cast<zend_long>(status));
            return false;
        }
        if (Z_TYPE_P(page) != IS_STRING) {
            zend_argument_type_error(number, "must be an array of strings, %s found in it",
                                     zend_zval_type_name(page));
            return false;
        }
        if (Z_STRLEN_P(page) == 0 || !is_utf8(view(Z_STR_P(page)))) {
            zend_argument_value_error(number, "must have pages in UTF-8 that are not empty");
            return false;
        }
        bytes += Z_STRLEN_P(page);
        if (bytes > kMostBytes) {
            zend_argument_value_error(number, "must leave all pages together at most %zu bytes", kMostBytes);
            return false;
        }
        pages.insert_or_assign(is_for_others ? uint16_t{0} : static_cast<uint16_t>(status),
                               std::string(view(Z_STR_P(page))));
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

}  // namespace

void init_error_pages_class(zend_class_entry* class_entry) {
    error_pages_class = class_entry;
    class_entry->create_object = create_pages;
    init_handlers<ErrorPagesObject>(handlers, free_pages);
}

const std::shared_ptr<const http::ErrorPages>& error_pages_of(zend_object* object) {
    return *embedded<ErrorPagesObject>(object)->pages;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_ErrorPages, __construct) {
    HashTable *html = nullptr, *json = nullptr;
    zend_object* otherwise = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 3)
    Z_PARAM_OPTIONAL
    Z_PARAM_ARRAY_HT(html)
    Z_PARAM_ARRAY_HT(json)
    Z_PARAM_OBJ_OF_CLASS(otherwise, error_format_class)
    ZEND_PARSE_PARAMETERS_END();

    ErrorPagesObject* self = embedded<ErrorPagesObject>(ZEND_THIS);
    if (self->pages) {
        zend_throw_error(nullptr, "Sluice\\Http\\ErrorPages is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    // The object owns them from the start, so that it frees them whatever fails below.
    auto pages = std::make_shared<sluice::http::ErrorPages>();
    self->pages = new std::shared_ptr<const sluice::http::ErrorPages>(pages);
    size_t bytes = 0;
    if (!take_pages(pages->html, html, 1, bytes) || !take_pages(pages->json, json, 2, bytes)) RETURN_THROWS();
    if (otherwise) pages->otherwise = format_of(otherwise);
}
