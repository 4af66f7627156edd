// The methods of Sluice\Http\Request that choose what the client wants most.

#include "php/http/request_object.h"
#include "php/zend/objects.h"
#include "protocol/http/accept.h"

namespace sluice::php {

namespace {

/// What is negotiated: the field, what may be offered, and how a field weighs an offer.
struct Negotiation {
    const char* field;
    bool (*is_offer)(std::string_view text);
    void (http::Preference::*add)(std::string_view list, std::string_view offered);
    const char* must;
};

constexpr Negotiation kTypes = {"accept", http::is_media_type, &http::Preference::add_types,
                                "must be a list of media types such as text/html, without wildcards"};
constexpr Negotiation kLanguages = {"accept-language", http::is_language_tag,
                                    &http::Preference::add_languages,
                                    "must be a list of language tags such as de or en-GB"};

bool check_offers(HashTable* offers, const Negotiation& negotiation) {
    bool fine = zend_hash_num_elements(offers) > 0;
    zval* offer;
    ZEND_HASH_FOREACH_VAL(offers, offer) {
        ZVAL_DEREF(offer);
        fine = fine && Z_TYPE_P(offer) == IS_STRING && negotiation.is_offer(view(Z_STR_P(offer)));
    }
    ZEND_HASH_FOREACH_END();
    if (!fine) zend_argument_value_error(1, "%s, and not empty", negotiation.must);
    return fine;
}

uint16_t weight_of(const SharedHead& head, const Negotiation& negotiation, std::string_view offer) {
    http::Preference preference;
    for_each_field(head, negotiation.field,
                   [&](std::string_view list) { (preference.*negotiation.add)(list, offer); });
    return preference.weight();
}

/// The offer that is wanted most, the first of several; null when none is acceptable.
void choose(INTERNAL_FUNCTION_PARAMETERS, const Negotiation& negotiation) {
    HashTable* offers;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ARRAY_HT(offers)
    ZEND_PARSE_PARAMETERS_END();
    if (!check_offers(offers, negotiation)) RETURN_THROWS();
    const SharedHead& head = *embedded<RequestObject>(ZEND_THIS)->head;
    zend_string* best = nullptr;
    uint16_t best_weight = 0;
    zval* offer;
    ZEND_HASH_FOREACH_VAL(offers, offer) {
        ZVAL_DEREF(offer);
        const uint16_t weight = weight_of(head, negotiation, view(Z_STR_P(offer)));
        if (weight <= best_weight) continue;
        best = Z_STR_P(offer);
        best_weight = weight;
    }
    ZEND_HASH_FOREACH_END();
    if (best) RETURN_STR_COPY(best);
    RETURN_NULL();
}

}  // namespace

}  // namespace sluice::php

ZEND_METHOD(Sluice_Http_Request, prefers) {
    sluice::php::choose(INTERNAL_FUNCTION_PARAM_PASSTHRU, sluice::php::kTypes);
}

ZEND_METHOD(Sluice_Http_Request, prefersLanguage) {
    sluice::php::choose(INTERNAL_FUNCTION_PARAM_PASSTHRU, sluice::php::kLanguages);
}
