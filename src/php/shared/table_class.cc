#include "php/shared/table_class.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "core/clock.h"
#include "php/shared/named.h"
#include "php/shared/stored_value.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "shared/named_memories.h"
#include "shared/shared_map.h"

namespace sluice::php {

zend_class_entry* full_exception_class = nullptr;

namespace {

using Outcome = SharedMap::Outcome;
using Condition = SharedMap::Condition;

/// A failed attempt means that another process has changed the value: the system makes progress.
constexpr int kMostUpdates = 1000;
constexpr double kLeastSeconds = 0.001, kMostSeconds = 1e9;

struct TableObject {
    SharedMap map;
    zend_string* name;
    zend_object object;
};

zend_object_handlers handlers;
zend_object_handlers stats_handlers;
zend_class_entry* table_stats_class = nullptr;

struct TableStatsObject {
    zend_object object;
};

zend_object* create_table(zend_class_entry* class_entry) {
    return &new_embedded<TableObject>(class_entry, handlers)->object;
}
zend_object* create_table_stats(zend_class_entry* class_entry) {
    return &new_embedded<TableStatsObject>(class_entry, stats_handlers)->object;
}

void free_table(zend_object* object) {
    TableObject* const self = embedded<TableObject>(object);
    if (self->name) zend_string_release(self->name);
    zend_object_std_dtor(object);
}

/// The bytes that were read last; not valid after a call of PHP code.
std::string& read_bytes() {
    static std::string bytes;
    // Do not keep the memory of a long value.
    if (bytes.capacity() > 1 << 20) std::string().swap(bytes);
    return bytes;
}

/// Checks the key, and returns the method's table; nullptr: an exception is set.
const TableObject* table_for(zval* self, const zend_string* key) {
    const TableObject* const table = embedded<TableObject>(self);
    if (!table->map) {
        zend_throw_error(nullptr, "The table is not constructed");
        return nullptr;
    }
    if (key && (ZSTR_LEN(key) == 0 || ZSTR_LEN(key) > SharedMap::kMostKeyBytes)) {
        zend_argument_value_error(1, "must have 1 to %zu bytes, %zu given", SharedMap::kMostKeyBytes,
                                  ZSTR_LEN(key));
        return nullptr;
    }
    return table;
}

/// Computes the time of expiry. False: an exception is set.
bool expiry(uint32_t argument, double seconds, bool is_null, uint64_t now_ms, uint64_t& expires_ms) {
    if (is_null) {
        expires_ms = SharedMap::kForEver;
        return true;
    }
    if (!(seconds >= kLeastSeconds && seconds <= kMostSeconds)) {
        zend_argument_value_error(argument, "must be between 0.001 and 1000000000 seconds, %.*H given", -1,
                                  seconds);
        return false;
    }
    expires_ms = now_ms + static_cast<uint64_t>(std::llround(seconds * 1000));
    return true;
}

/// Throws for outcomes other than kDone and kNot.
ZEND_COLD void throw_outcome(const TableObject* table, Outcome outcome, const zend_string* key,
                             size_t bytes) {
    SharedMap::Figures figures;
    switch (outcome) {
        case Outcome::kFull:
            table->map.figures(figures);
            zend_throw_exception_ex(
                full_exception_class, 0,
                "The shared table \"%s\" has no room for \"%s\": %zu of its %zu bytes are in use",
                ZSTR_VAL(table->name), ZSTR_VAL(key), figures.used_bytes, figures.bytes);
            break;
        case Outcome::kTooLong:
            zend_value_error(
                "An entry of the shared table \"%s\" has at most %zu bytes with its key, and \"%s\" would "
                "have %zu",
                ZSTR_VAL(table->name), table->map.most_value_bytes(), ZSTR_VAL(key), ZSTR_LEN(key) + bytes);
            break;
        case Outcome::kNoInt:
            zend_type_error("\"%s\" in the shared table \"%s\" is not an int", ZSTR_VAL(key),
                            ZSTR_VAL(table->name));
            break;
        case Outcome::kOverflow:
            zend_throw_exception_ex(zend_ce_arithmetic_error, 0,
                                    "The sum of \"%s\" in the shared table \"%s\" is out of range",
                                    ZSTR_VAL(key), ZSTR_VAL(table->name));
            break;
        default:
            throw_server_exception("The shared table \"%s\" is locked by a process that has been stopped",
                                   ZSTR_VAL(table->name));
    }
}

/// Whether the value was stored; throws on failure.
bool put(const TableObject* table, const zend_string* key, const StoredValue& stored, uint64_t now_ms,
         uint64_t expires_ms, Condition condition = Condition::kNone, uint64_t version = 0) {
    const Outcome outcome = table->map.put(view(key), stored.value, now_ms, expires_ms, condition, version);
    if (outcome == Outcome::kDone || outcome == Outcome::kNot) return outcome == Outcome::kDone;
    throw_outcome(table, outcome, key, stored.value.bytes.size());
    return false;
}

/// Whether the key has a value; throws on failure.
bool get(const TableObject* table, const zend_string* key, uint64_t now_ms, SharedMap::Found& found) {
    const Outcome outcome = table->map.get(view(key), now_ms, found, read_bytes());
    if (outcome == Outcome::kDone || outcome == Outcome::kNot) return outcome == Outcome::kDone;
    throw_outcome(table, outcome, key, 0);
    return false;
}

bool is_alike(const SharedMap::Found& found, std::string_view bytes, const SharedValue& value) {
    return found.kind == value.kind && found.number == value.number && bytes == value.bytes;
}

}  // namespace

void init_table_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_table;
    init_handlers<TableObject>(handlers, free_table);
}

void init_table_stats_class(zend_class_entry* class_entry) {
    table_stats_class = class_entry;
    class_entry->create_object = create_table_stats;
    init_handlers<TableStatsObject>(stats_handlers, zend_object_std_dtor);
}

}  // namespace sluice::php

using namespace sluice;
using namespace sluice::php;

ZEND_METHOD(Sluice_Shared_Table, __construct) {
    zend_string* name;
    zend_long bytes = 16 << 20;
    bool evict = false;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_STR(name)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(bytes)
    Z_PARAM_BOOL(evict)
    ZEND_PARSE_PARAMETERS_END();
    TableObject* const self = embedded<TableObject>(ZEND_THIS);
    if (self->map) {
        zend_throw_error(nullptr, "The table is constructed already");
        RETURN_THROWS();
    }
    if (bytes < static_cast<zend_long>(SharedMap::kLeastBytes) ||
        bytes > static_cast<zend_long>(SharedMap::kMostBytes)) {
        zend_argument_value_error(2, "must be between %zu and %zu bytes, " ZEND_LONG_FMT " given",
                                  SharedMap::kLeastBytes, SharedMap::kMostBytes, bytes);
        RETURN_THROWS();
    }
    char shape[64];
    snprintf(shape, sizeof shape, "%s" ZEND_LONG_FMT " bytes%s", NamedMemories::kTableShape, bytes,
             evict ? " that evicts" : "");
    const NamedMemory named = open_named(name, shape, static_cast<size_t>(bytes));
    if (named.memory.empty()) RETURN_THROWS();
    self->map = named.is_new
                    ? SharedMap::format(named.memory,
                                        evict ? SharedMap::WhenFull::kEvict : SharedMap::WhenFull::kRefuse,
                                        uint64_t{std::random_device{}()} << 32 | std::random_device{}())
                    : SharedMap::attach(named.memory);
    self->name = zend_string_copy(name);
}

ZEND_METHOD(Sluice_Shared_Table, get) {
    zend_string* key;
    zval* fallback = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_STR(key)
    Z_PARAM_OPTIONAL
    Z_PARAM_ZVAL(fallback)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = table_for(ZEND_THIS, key);
    if (!table) RETURN_THROWS();
    SharedMap::Found found;
    if (get(table, key, monotonic_ms(), found)) {
        restore(found, read_bytes(), return_value);
    } else if (!EG(exception) && fallback) {
        RETURN_COPY_DEREF(fallback);
    }
}

ZEND_METHOD(Sluice_Shared_Table, has) {
    zend_string* key;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(key)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = table_for(ZEND_THIS, key);
    if (!table) RETURN_THROWS();
    SharedMap::Found found;
    RETURN_BOOL(get(table, key, monotonic_ms(), found));
}

namespace {

struct Setting {
    zend_string* key;
    zval* expected;
    zval* value;
    double seconds;
    bool for_ever = true;
    uint64_t now_ms;
    uint64_t expires_ms;
    StoredValue stored;
};

/// The rest of what set(), add() and compareAndSet() begin with; nullptr: an exception is set.
const TableObject* begin_setting(zval* self, Setting& setting, uint32_t seconds_argument) {
    const TableObject* const table = table_for(self, setting.key);
    setting.now_ms = monotonic_ms();
    if (!table ||
        !expiry(seconds_argument, setting.seconds, setting.for_ever, setting.now_ms, setting.expires_ms) ||
        !store(setting.value, setting.stored))
        return nullptr;
    return table;
}

/// Parses the arguments of set() and add(), and begins; nullptr: an exception is set.
const TableObject* begin_set(zend_execute_data* execute_data, Setting& setting) {
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR(setting.key)
    Z_PARAM_ZVAL(setting.value)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(setting.seconds, setting.for_ever)
    ZEND_PARSE_PARAMETERS_END_EX(return nullptr);
    return begin_setting(ZEND_THIS, setting, 3);
}

}  // namespace

ZEND_METHOD(Sluice_Shared_Table, set) {
    Setting setting;
    const TableObject* const table = begin_set(execute_data, setting);
    if (!table) RETURN_THROWS();
    put(table, setting.key, setting.stored, setting.now_ms, setting.expires_ms);
    release(setting.stored);
}

ZEND_METHOD(Sluice_Shared_Table, add) {
    Setting setting;
    const TableObject* const table = begin_set(execute_data, setting);
    if (!table) RETURN_THROWS();
    RETVAL_BOOL(
        put(table, setting.key, setting.stored, setting.now_ms, setting.expires_ms, Condition::kAbsent));
    release(setting.stored);
}

ZEND_METHOD(Sluice_Shared_Table, compareAndSet) {
    Setting setting;
    ZEND_PARSE_PARAMETERS_START(3, 4)
    Z_PARAM_STR(setting.key)
    Z_PARAM_ZVAL(setting.expected)
    Z_PARAM_ZVAL(setting.value)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(setting.seconds, setting.for_ever)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = begin_setting(ZEND_THIS, setting, 4);
    if (!table) RETURN_THROWS();
    StoredValue expected;
    if (!store(setting.expected, expected)) {
        release(setting.stored);
        RETURN_THROWS();
    }
    SharedMap::Found found;
    bool done = false;
    if (get(table, setting.key, setting.now_ms, found)) {
        done = is_alike(found, read_bytes(), expected.value) &&
               put(table, setting.key, setting.stored, setting.now_ms, setting.expires_ms,
                   Condition::kVersion, found.version);
    } else if (!EG(exception) && expected.value.kind == SharedValue::Kind::kNull) {
        done =
            put(table, setting.key, setting.stored, setting.now_ms, setting.expires_ms, Condition::kAbsent);
    }
    release(setting.stored);
    release(expected);
    RETURN_BOOL(done);
}

ZEND_METHOD(Sluice_Shared_Table, increment) {
    zend_string* key;
    zend_long by = 1;
    double seconds = 0;
    bool for_ever = true;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_STR(key)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(by)
    Z_PARAM_DOUBLE_OR_NULL(seconds, for_ever)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = table_for(ZEND_THIS, key);
    const uint64_t now_ms = monotonic_ms();
    uint64_t expires_ms;
    if (!table || !expiry(3, seconds, for_ever, now_ms, expires_ms)) RETURN_THROWS();
    int64_t sum;
    const Outcome outcome = table->map.add(view(key), by, now_ms, expires_ms, sum);
    if (outcome == Outcome::kDone) RETURN_LONG(sum);
    throw_outcome(table, outcome, key, 0);
}

ZEND_METHOD(Sluice_Shared_Table, update) {
    zend_string* key;
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    double seconds = 0;
    bool for_ever = true;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_STR(key)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(seconds, for_ever)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    const TableObject* const table = table_for(ZEND_THIS, key);
    uint64_t expires_ms;
    if (!table || !expiry(3, seconds, for_ever, 0, expires_ms)) RETURN_THROWS();
    for (int tries = 0; tries < kMostUpdates; ++tries) {
        SharedMap::Found found;
        const bool was_there = get(table, key, monotonic_ms(), found);
        if (EG(exception)) break;
        zval before;
        ZVAL_NULL(&before);
        if (was_there && !restore(found, read_bytes(), &before)) break;
        info.params = &before;
        info.param_count = 1;
        info.retval = return_value;
        ZVAL_UNDEF(return_value);
        zend_call_function(&info, nullptr);
        zval_ptr_dtor(&before);
        if (EG(exception) || Z_ISUNDEF_P(return_value)) break;
        StoredValue after;
        if (!store(return_value, after)) break;
        const uint64_t now_ms = monotonic_ms();
        expiry(3, seconds, for_ever, now_ms, expires_ms);
        const bool done = put(table, key, after, now_ms, expires_ms,
                              was_there ? Condition::kVersion : Condition::kAbsent, found.version);
        release(after);
        if (done) return;
        if (EG(exception)) break;
        zval_ptr_dtor(return_value);
        ZVAL_NULL(return_value);
    }
    if (!Z_ISUNDEF_P(return_value)) zval_ptr_dtor(return_value);
    ZVAL_NULL(return_value);
    if (!EG(exception))
        throw_server_exception("\"%s\" in the shared table \"%s\" was changed by others %d times meanwhile",
                               ZSTR_VAL(key), ZSTR_VAL(table->name), kMostUpdates);
}

ZEND_METHOD(Sluice_Shared_Table, remove) {
    zend_string* key;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(key)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = table_for(ZEND_THIS, key);
    if (!table) RETURN_THROWS();
    const Outcome outcome = table->map.remove(view(key), monotonic_ms());
    if (outcome == Outcome::kDone || outcome == Outcome::kNot) RETURN_BOOL(outcome == Outcome::kDone);
    throw_outcome(table, outcome, key, 0);
}

ZEND_METHOD(Sluice_Shared_Table, compareAndRemove) {
    zend_string* key;
    zval* expected;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(key)
    Z_PARAM_ZVAL(expected)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = table_for(ZEND_THIS, key);
    StoredValue stored;
    if (!table || !store(expected, stored)) RETURN_THROWS();
    const uint64_t now_ms = monotonic_ms();
    SharedMap::Found found;
    RETVAL_FALSE;
    if (get(table, key, now_ms, found) && is_alike(found, read_bytes(), stored.value)) {
        const Outcome outcome = table->map.remove(view(key), now_ms, Condition::kVersion, found.version);
        if (outcome == Outcome::kDone) RETVAL_TRUE;
        if (outcome == Outcome::kStuck) throw_outcome(table, outcome, key, 0);
    }
    release(stored);
}

ZEND_METHOD(Sluice_Shared_Table, clear) {
    ZEND_PARSE_PARAMETERS_NONE();
    const TableObject* const table = table_for(ZEND_THIS, nullptr);
    if (!table) RETURN_THROWS();
    if (!table->map.clear()) throw_outcome(table, Outcome::kStuck, nullptr, 0);
}

ZEND_METHOD(Sluice_Shared_Table, listKeys) {
    zend_string* prefix = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(prefix)
    ZEND_PARSE_PARAMETERS_END();
    const TableObject* const table = table_for(ZEND_THIS, nullptr);
    if (!table) RETURN_THROWS();
    static std::vector<std::string> keys;
    keys.clear();
    if (!table->map.list_keys(prefix ? view(prefix) : std::string_view(), monotonic_ms(), keys)) {
        throw_outcome(table, Outcome::kStuck, nullptr, 0);
        RETURN_THROWS();
    }
    array_init_size(return_value, static_cast<uint32_t>(keys.size()));
    for (const std::string& key : keys)
        add_next_index_str(return_value, new_string(key));
    std::vector<std::string>().swap(keys);
}

ZEND_METHOD(Sluice_Shared_Table, count) {
    ZEND_PARSE_PARAMETERS_NONE();
    const TableObject* const table = table_for(ZEND_THIS, nullptr);
    if (!table) RETURN_THROWS();
    SharedMap::Figures figures;
    if (table->map.figures(figures)) RETURN_LONG(static_cast<zend_long>(figures.entries));
    throw_outcome(table, Outcome::kStuck, nullptr, 0);
}

ZEND_METHOD(Sluice_Shared_Table, stats) {
    ZEND_PARSE_PARAMETERS_NONE();
    const TableObject* const table = table_for(ZEND_THIS, nullptr);
    if (!table) RETURN_THROWS();
    SharedMap::Figures figures;
    if (!table->map.figures(figures)) {
        throw_outcome(table, Outcome::kStuck, nullptr, 0);
        RETURN_THROWS();
    }
    RETVAL_OBJ(create_table_stats(table_stats_class));
    int place = 0;
    for (const uint64_t figure : {uint64_t{figures.entries}, uint64_t{figures.used_bytes},
                                  uint64_t{figures.bytes}, figures.evicted, figures.rebuilt})
        init_property(Z_OBJ_P(return_value), place++, static_cast<zend_long>(figure));
}

ZEND_METHOD(Sluice_Shared_TableStats, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}
