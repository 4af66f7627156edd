#include "php/leaks/value_graph.h"

#include <Zend/zend_closures.h>
#include <Zend/zend_weakrefs.h>
#include <algorithm>
#include <cstring>

#include "php/leaks/write_watch.h"

namespace sluice::php {

namespace {

constexpr size_t kMostValues = 300'000;

/// Objects of Sluice's own are not the application's.
bool is_internal(const zend_class_entry* class_entry) {
    return view(class_entry->name).starts_with("Sluice\\Internal\\");
}

std::string step_of_key(const zend_string* key, zend_ulong index, const char* before, const char* after) {
    if (!key)
        return before[0] == '[' ? "[" + std::to_string(static_cast<zend_long>(index)) + "]"
                                : before + std::to_string(static_cast<zend_long>(index));
    return before + std::string(view(key)) + after;
}

std::string name_of_closure(zend_object* closure) {
    const zend_function* const function = zend_get_closure_method_def(closure);
    if (!ZEND_USER_CODE(function->type)) return std::string(view(function->common.function_name));
    return "closure at " + std::string(view(function->op_array.filename)) + ":" +
           std::to_string(function->op_array.line_start);
}

/// The step to a value that an object keeps without a name in PHP.
std::string step_of_kept(const zval& value, int index) {
    if (Z_TYPE(value) == IS_OBJECT && Z_OBJCE(value) == zend_ce_closure)
        return ", " + name_of_closure(Z_OBJ(value));
    return "{" + std::to_string(index) + "}";
}

/// A property of a container that has the services that were made, by id.
struct ServiceTable {
    std::string_view container;
    std::string_view property;
};

constexpr ServiceTable kServiceTables[] = {
    {"Symfony\\Component\\DependencyInjection\\Container", "services"},
    {"Symfony\\Component\\DependencyInjection\\Container", "privates"},
    {"Illuminate\\Container\\Container", "instances"},
};

bool is_service_table(const zend_class_entry* class_entry, std::string_view property) {
    for (const ServiceTable& table : kServiceTables) {
        if (table.property != property) continue;
        for (const zend_class_entry* one = class_entry; one; one = one->parent)
            if (view(one->name) == table.container) return true;
    }
    return false;
}

/// `app.cart` of the step `['app.cart']`.
std::string name_of_service(std::string_view step) {
    const size_t around = step.starts_with("['") ? 2 : 1;
    return "the service \"" + std::string(step.substr(around, step.size() - 2 * around)) + "\"";
}

}  // namespace

ValueGraph::ValueGraph() {
    zend_hash_init(&alive_, 0, nullptr, nullptr, false);
}

ValueGraph::~ValueGraph() {
    for (const auto& [object, serial] : serials_)
        zend_weakrefs_hash_del(&alive_, const_cast<zend_object*>(object));
    zend_hash_destroy(&alive_);
}

void ValueGraph::begin() {
    std::swap(before_, now_);
    now_.values.clear();
    now_.groups.assign(1, {.is_expanded = true});
    ahead_.clear();
    met_.clear();
}

void ValueGraph::add_root(std::string name, const zval& value, bool tell_new, uint64_t thing) {
    add(std::move(name), value, thing, tell_new);
    ++now_.groups[0].count;
}

void ValueGraph::add(std::string step, zval value, uint64_t thing, bool tell_new) {
    const zval* const real = Z_TYPE(value) == IS_REFERENCE ? Z_REFVAL(value) : &value;
    Value made;
    made.step = std::move(step);
    made.type = Z_TYPE_P(real);
    made.tell_new = tell_new;
    made.written.thing = thing;
    if (Z_TYPE(value) == IS_REFERENCE) made.written.reference = reference_thing(Z_REF(value));
    const void* container = nullptr;
    switch (made.type) {
        case IS_LONG: made.content = static_cast<uint64_t>(Z_LVAL_P(real)); break;
        case IS_DOUBLE: memcpy(&made.content, &Z_DVAL_P(real), sizeof made.content); break;
        case IS_STRING:
            made.content = zend_string_hash_val(Z_STR_P(real));
            made.count = static_cast<uint32_t>(Z_STRLEN_P(real));
            break;
        case IS_RESOURCE: made.content = static_cast<uint64_t>(Z_RES_HANDLE_P(real)); break;
        case IS_ARRAY:
            made.count = zend_hash_num_elements(Z_ARRVAL_P(real));
            container = Z_ARRVAL_P(real);
            break;
        case IS_OBJECT:
            made.class_entry = Z_OBJCE_P(real);
            if (is_internal(made.class_entry)) break;
            made.content = serial_of(Z_OBJ_P(real));
            container = Z_OBJ_P(real);
            break;
        default: break;
    }
    if (container) {
        const auto [place, is_new] = met_.try_emplace(container, static_cast<uint32_t>(now_.groups.size()));
        made.group = place->second;
        if (is_new) {
            now_.groups.push_back({});
            ahead_.emplace_back(*real, made.group);
        }
    }
    now_.values.push_back(std::move(made));
}

uint64_t ValueGraph::serial_of(zend_object* object) {
    zval nothing;
    ZVAL_LONG(&nothing, 0);
    uint64_t& serial = serials_[object];
    // Another object may have the place of one that was freed.
    if (zend_weakrefs_hash_add(&alive_, object, &nothing)) serial = ++last_serial_;
    return serial;
}

bool ValueGraph::look() {
    for (size_t next = 0; next < ahead_.size(); ++next) {
        if (now_.values.size() >= kMostValues) return false;
        const auto [container, group] = ahead_[next];
        expand(group, container);
    }
    return true;
}

void ValueGraph::expand(uint32_t group, zval container) {
    const auto first = static_cast<uint32_t>(now_.values.size());
    uint32_t kept = 0;
    if (Z_TYPE(container) == IS_ARRAY) {
        expand_array(Z_ARRVAL(container), "['", "']", 0);
        if (now_.groups[group].has_services) name_services(first);
    } else {
        kept = expand_object(Z_OBJ(container));
    }
    Group& made = now_.groups[group];
    made.first = first;
    made.count = static_cast<uint32_t>(now_.values.size()) - first;
    made.is_list = Z_TYPE(container) == IS_ARRAY;
    made.kept = kept;
    made.is_expanded = true;
}

void ValueGraph::expand_array(HashTable* array, const char* before, const char* after, uint64_t thing) {
    zend_ulong index;
    zend_string* key;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(array, index, key, value) {
        if (Z_TYPE_P(value) == IS_INDIRECT) value = Z_INDIRECT_P(value);
        add(step_of_key(key, index, before, after), *value, thing);
    }
    ZEND_HASH_FOREACH_END();
}

uint32_t ValueGraph::expand_object(zend_object* object) {
    const zend_class_entry* const class_entry = object->ce;
    for (int slot = 0; slot < class_entry->default_properties_count; ++slot) {
        const zend_property_info* const property = class_entry->properties_info_table[slot];
        if (!property) continue;
        const char *scope, *name;
        size_t size;
        zend_unmangle_property_name_ex(property->name, &scope, &name, &size);
        add("->" + std::string(name, size), *OBJ_PROP_NUM(object, slot),
            property_thing(object, zend_hash_func(name, size)));
        const uint32_t group = now_.values.back().group;
        if (group != kNone && is_service_table(class_entry, {name, size}))
            now_.groups[group].has_services = true;
    }
    zend_string* key;
    zend_ulong index;
    zval* value;
    if (object->properties) {
        ZEND_HASH_FOREACH_KEY_VAL(object->properties, index, key, value) {
            // Declared properties stand in their slots.
            if (Z_TYPE_P(value) == IS_INDIRECT) continue;
            add(step_of_key(key, index, "->", ""), *value,
                property_thing(object, key ? ZSTR_HASH(key) : index));
        }
        ZEND_HASH_FOREACH_END();
    }
    if (!object->handlers->get_gc || object->handlers->get_gc == zend_std_get_gc) return 0;
    zval* table = nullptr;
    int count = 0;
    HashTable* const named = object->handlers->get_gc(object, &table, &count);
    for (int place = 0; place < count; ++place)
        add(step_of_kept(table[place], place), table[place], object_thing(object));
    if (named && named != object->properties) expand_array(named, ", $", "", object_thing(object));
    return static_cast<uint32_t>(count);
}

void ValueGraph::name_services(uint32_t first) {
    for (size_t place = first; place < now_.values.size(); ++place) {
        Value& value = now_.values[place];
        value.is_service = true;
        if (value.type != IS_OBJECT || value.group == kNone) continue;
        std::string& service = now_.groups[value.group].service;
        if (service.empty()) service = name_of_service(value.step);
    }
}

std::string ValueGraph::service_of(const Value& value) const {
    if (value.is_service) return name_of_service(value.step);
    return value.group == kNone ? std::string() : now_.groups[value.group].service;
}

std::string ValueGraph::place_of(const Value& value, const Pair& holder) const {
    std::string service = service_of(value);
    if (!service.empty()) return service;
    return holder.place + (holder.is_service ? ", " : "") + value.step;
}

const std::vector<ValueGraph::Change>& ValueGraph::compare() {
    changes_.clear();
    pairs_.clear();
    compared_.clear();
    if (before_.groups.empty()) return changes_;
    pairs_.push_back({0, 0, {}, {}, false});
    for (size_t next = 0; next < pairs_.size(); ++next) {
        const Pair pair = std::move(pairs_[next]);
        compare_groups(pair);
    }
    return changes_;
}

void ValueGraph::compare_groups(const Pair& pair) {
    const Group& was = before_.groups[pair.was];
    const Group& is = now_.groups[pair.is];
    if (!was.is_expanded || !is.is_expanded) return;
    bool has_other_keys = false;
    std::unordered_map<std::string_view, uint32_t> places;
    for (uint32_t place = 0; place < is.count; ++place) {
        const Value& value = now_.values[is.first + place];
        if (place < was.count && before_.values[was.first + place].step == value.step) {
            compare_values(before_.values[was.first + place], value, pair);
            continue;
        }
        if (places.empty())
            for (uint32_t one = 0; one < was.count; ++one)
                places.emplace(before_.values[was.first + one].step, was.first + one);
        const auto found = places.find(value.step);
        if (found != places.end()) {
            compare_values(before_.values[found->second], value, pair);
        } else if (is.is_list) {
            has_other_keys = true;
        } else if (value.tell_new) {
            changes_.push_back({place_of(value, pair), "nothing", describe(now_, value), value.written.at()});
        }
    }
    // A changed number of elements has been told already.
    if (has_other_keys && was.count == is.count)
        changes_.push_back({pair.place, "an array of " + std::to_string(was.count), "one with other keys",
                            pair.written.at()});
}

std::string ValueGraph::Written::at() const {
    std::string places = thing ? written_at(thing) : std::string();
    const std::string more = reference ? written_at(reference) : std::string();
    if (!places.empty() && !more.empty()) places += ", ";
    return places + more;
}

void ValueGraph::compare_values(const Value& was, const Value& is, const Pair& holder) {
    std::string place = place_of(is, holder);
    // Elements of an array are written to by way of whatever holds the array.
    Written written = is.written.thing ? is.written : holder.written;
    if (is.written.reference) written.reference = is.written.reference;
    const bool is_other = was.type != is.type || was.content != is.content || was.count != is.count ||
                          was.class_entry != is.class_entry;
    const bool keeps_others = was.group != kNone && is.group != kNone &&
                              before_.groups[was.group].kept != now_.groups[is.group].kept;
    if (is_other || keeps_others) {
        std::string then = describe(before_, was), now = describe(now_, is);
        if (now == then) now = "another one";
        changes_.push_back({place, std::move(then), std::move(now), written.at()});
    }
    if (was.group == kNone || is.group == kNone || was.type != is.type) return;
    // When an object has taken another one's place, nothing else is told of it.
    if (is.type == IS_OBJECT && was.content != is.content) return;
    if (compared_.insert(uint64_t{was.group} << 32 | is.group).second)
        pairs_.push_back({was.group, is.group, std::move(place), written, !service_of(is).empty()});
}

std::string ValueGraph::describe(const Moment& moment, const Value& value) {
    switch (value.type) {
        case IS_UNDEF: return "nothing";
        case IS_NULL: return "null";
        case IS_FALSE: return "false";
        case IS_TRUE: return "true";
        case IS_LONG: return std::to_string(static_cast<zend_long>(value.content));
        case IS_DOUBLE: {
            double number;
            memcpy(&number, &value.content, sizeof number);
            return std::to_string(number);
        }
        case IS_STRING: return "a string of " + std::to_string(value.count) + " bytes";
        case IS_ARRAY: return "an array of " + std::to_string(value.count);
        case IS_OBJECT: {
            const uint32_t kept = value.group == kNone ? 0 : moment.groups[value.group].kept;
            return "an object of " + std::string(view(value.class_entry->name)) +
                   (kept > 0 ? " that keeps " + std::to_string(kept) : "");
        }
        default: return "a resource";
    }
}

}  // namespace sluice::php
