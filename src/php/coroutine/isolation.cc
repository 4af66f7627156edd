#include "php/coroutine/isolation.h"

#include <algorithm>
#include <vector>

#include "php/coroutine/coroutine.h"

namespace sluice::php {

bool isolation_in_use = false;

struct Isolation {
    Isolation* next;
    Isolation* previous;
    RequestGlobals* globals;  ///< nullptr: the outside's
    uint32_t references;
    uint32_t count;  ///< of `values`
    zval values[1];  ///< saved while another isolation is installed
};

namespace {

struct Place {
    zval* at;
    const zend_property_info* property;
};

std::vector<Place> places;
std::vector<zval> values_outside;
Isolation* first = nullptr;      ///< of the list of all isolations
Isolation* installed = nullptr;  ///< the one whose values are in the places
Isolation* of_process = nullptr;
bool closed = false;

Isolation*& isolation_of_running() {
    Coroutine* const coroutine = enclosing_coroutine();
    return coroutine ? coroutine->isolation : of_process;
}

zval* values_of(Isolation* isolation) {
    return isolation ? isolation->values : values_outside.data();
}

void install(Isolation* wanted) {
    if (installed && installed->globals) installed->globals->set_aside();
    zval* const kept = values_of(installed);
    const zval* const values = values_of(wanted);
    const size_t count = places.size();
    const Place* const all = places.data();
    for (size_t index = 0; index < count; ++index) {
        zval* const at = all[index].at;
        ZVAL_COPY_VALUE(&kept[index], at);
        ZVAL_COPY_VALUE(at, &values[index]);
    }
    installed = wanted;
    if (wanted && wanted->globals) wanted->globals->put_in_place();
}

/// Copies the place's outside value, which code may have made a reference.
void copy_from_outside(zval* to, size_t index) {
    zval* const from = installed ? &values_outside[index] : places[index].at;
    ZVAL_COPY_DEREF(to, from);
}

void release_value(zval* value, const zend_property_info* property) {
    if (Z_ISREF_P(value) && ZEND_TYPE_IS_SET(property->type)) {
        zend_property_info* source;
        ZEND_REF_FOREACH_TYPE_SOURCES(Z_REF_P(value), source) {
            if (source != property) continue;
            ZEND_REF_DEL_TYPE_SOURCE(Z_REF_P(value), source);
            // Deleting may have reallocated the list.
            break;
        }
        ZEND_REF_FOREACH_TYPE_SOURCES_END();
    }
    zval_ptr_dtor(value);
}

Isolation* new_isolation() {
    const size_t count = places.size();
    auto* const made = static_cast<Isolation*>(emalloc(sizeof(Isolation) + count * sizeof(zval)));
    made->globals = nullptr;
    made->references = 1;
    made->count = static_cast<uint32_t>(count);
    for (size_t index = 0; index < count; ++index)
        copy_from_outside(&made->values[index], index);
    made->previous = nullptr;
    made->next = first;
    if (first) first->previous = made;
    first = made;
    return made;
}

void release_values(Isolation* isolation) {
    for (uint32_t index = 0; index < isolation->count; ++index) {
        zval value;
        ZVAL_COPY_VALUE(&value, &isolation->values[index]);
        ZVAL_UNDEF(&isolation->values[index]);
        release_value(&value, places[index].property);
    }
    isolation->count = 0;
}

/// Resets the places to the outside's values, while the running code's isolation is installed.
void reset_places() {
    for (size_t index = 0; index < places.size(); ++index) {
        zval* const at = places[index].at;
        if (!Z_REFCOUNTED_P(at)) continue;
        zval value;
        ZVAL_COPY_VALUE(&value, at);
        copy_from_outside(at, index);
        release_value(&value, places[index].property);
    }
}

/// Makes `wanted` the running code's isolation.
void enter(Isolation* wanted) {
    isolation_of_running() = wanted;
    if (installed != wanted) install(wanted);
}

}  // namespace

const char* isolation_refusal() {
    if (closed) return "the worker serves already: call it before Server::run(), or in onWorkerStart()";
    if (first) return "there are coroutines with values of their own already: call it before them";
    return nullptr;
}

void close_isolation() {
    closed = true;
}

bool isolate_place(zval* at, const zend_property_info* property) {
    if (std::any_of(places.begin(), places.end(), [at](const Place& place) { return place.at == at; }))
        return false;
    places.push_back({at, property});
    zval nothing;
    ZVAL_UNDEF(&nothing);
    values_outside.push_back(nothing);
    isolation_in_use = true;
    return true;
}

Isolation* begin_isolation() {
    if (EXPECTED(!isolation_in_use)) return nullptr;
    Isolation* const before = isolation_of_running();
    enter(new_isolation());
    return before;
}

void end_isolation(Isolation* before) {
    if (EXPECTED(!isolation_in_use)) return;
    Isolation* const own = isolation_of_running();
    if (own && own->references == 1) reset_places();
    enter(before);
    release_isolation(own);
}

GivenGlobals give_request_globals(RequestGlobals* globals) {
    isolation_in_use = true;
    Isolation* own = isolation_of_running();
    GivenGlobals given = {own, !own || own->globals};
    if (given.begun) {
        begin_isolation();
        own = isolation_of_running();
    }
    own->globals = globals;
    globals->put_in_place();
    return given;
}

void take_request_globals(const GivenGlobals& given) {
    Isolation* const own = isolation_of_running();
    own->globals->set_aside();
    own->globals = nullptr;
    if (given.begun) end_isolation(given.before);
}

RequestGlobals* request_globals() {
    if (EXPECTED(!isolation_in_use)) return nullptr;
    const Isolation* const own = isolation_of_running();
    return own ? own->globals : nullptr;
}

Isolation* inherit_isolation() {
    if (EXPECTED(!isolation_in_use)) return nullptr;
    Isolation* const own = isolation_of_running();
    if (own) ++own->references;
    return own;
}

Isolation* adopt_isolation(Isolation* inherited) {
    if (EXPECTED(!isolation_in_use)) return nullptr;
    Isolation* const before = isolation_of_running();
    if (inherited) ++inherited->references;
    enter(inherited);
    return before;
}

void release_isolation(Isolation* isolation) {
    if (EXPECTED(!isolation) || --isolation->references > 0) return;
    // An isolation without running code may still be installed.
    if (isolation == installed) install(nullptr);
    if (isolation->previous) isolation->previous->next = isolation->next;
    if (isolation->next) isolation->next->previous = isolation->previous;
    if (isolation == first) first = isolation->next;
    release_values(isolation);
    efree(isolation);
}

void switch_isolation(const zend_fiber_context* to) {
    // The loop runs no application code: leave the installed values until other code runs.
    const Coroutine* const coroutine = coroutine_of(to);
    if (coroutine && coroutine->isolation != installed) install(coroutine->isolation);
}

void return_outside() {
    if (installed != of_process) install(of_process);
}

void forget_isolations() {
    if (installed) install(nullptr);
    // Timers that PHP has not destroyed yet may refer to isolations.
    for (Isolation *isolation = first, *next; isolation; isolation = next) {
        ++isolation->references;
        isolation->globals = nullptr;
        release_values(isolation);
        next = isolation->next;
        release_isolation(isolation);
    }
    first = of_process = nullptr;
    places.clear();
    values_outside.clear();
    isolation_in_use = false;
    closed = false;
}

}  // namespace sluice::php
