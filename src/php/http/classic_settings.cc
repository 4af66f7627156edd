#include "php/http/classic_settings.h"

#include <iterator>
#include <string_view>

#include "core/log.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/refused_calls.h"
#include "php/http/classic_session.h"
#include "php/zend/said_once.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

/// While a request's is installed.
SessionFields session_outside;

/// A setting that a function returns when called without a value, and sets when called with one.
struct Setting {
    enum class Asked : uint8_t {
        kWithNothing,
        kWithNull,
        kOfAllCategories,  ///< both calls take LC_ALL
    };
    const char* function;  ///< the function that changes it
    const char* getter;
    Asked asked = Asked::kWithNothing;
};

constexpr Setting kSettings[] = {
    {"date_default_timezone_set", "date_default_timezone_get"},
    {"setlocale", "setlocale", Setting::Asked::kOfAllCategories},
    {"mb_internal_encoding", "mb_internal_encoding"},
    {"mb_http_output", "mb_http_output"},
    {"mb_language", "mb_language"},
    {"mb_substitute_character", "mb_substitute_character"},
    {"mb_regex_encoding", "mb_regex_encoding"},
    {"mb_detect_order", "mb_detect_order"},
    {"libxml_use_internal_errors", "libxml_use_internal_errors"},
    {"chdir", "getcwd"},
    {"umask", "umask"},
    {"textdomain", "textdomain", Setting::Asked::kWithNull},
};
constexpr const char* kOfDefaultContext[] = {"stream_context_set_default", "stream_context_get_default"};

/// Functions that change the INI entry named by their first argument.
constexpr const char* kNaming[] = {"ini_set", "ini_alter", "ini_restore"};
struct OneEntry {
    const char* function;
    const char* entry;
};
constexpr OneEntry kOfOneEntry[] = {{"set_include_path", "include_path"},
                                    {"ignore_user_abort", "ignore_user_abort"}};

/// Entries that PHP itself changes for a script: by header('Content-Length: …'), gc_disable(),
/// iconv_set_encoding(), assert_options().
struct ChangedByPhp {
    const char* entry;
    decltype(zend_ini_entry::on_modify) original = nullptr;
};
ChangedByPhp changed_by_php[] = {{"zlib.output_compression"}, {"zend.enable_gc"},
                                 {"iconv.input_encoding"},    {"iconv.output_encoding"},
                                 {"iconv.internal_encoding"}, {"assert.active"},
                                 {"assert.bail"},             {"assert.callback"},
                                 {"assert.exception"},        {"assert.warning"}};

constexpr const char* kOfSessions[] = {
    "session_name",      "session_set_cookie_params", "session_cache_limiter",    "session_cache_expire",
    "session_save_path", "session_module_name",       "session_set_save_handler", "session_id",
    "session_create_id", "session_regenerate_id"};
constexpr const char* kSessionEntries[] = {"session.name",
                                           "session.cookie_lifetime",
                                           "session.cookie_path",
                                           "session.cookie_domain",
                                           "session.cookie_secure",
                                           "session.cookie_httponly",
                                           "session.cookie_samesite",
                                           "session.cache_limiter",
                                           "session.cache_expire",
                                           "session.save_path",
                                           "session.save_handler",
                                           "session.use_strict_mode",
                                           "session.use_cookies",
                                           "session.gc_maxlifetime",
                                           "session.gc_probability",
                                           "session.serialize_handler"};

/// Entries that are the process's, or already saved for each Fiber.
constexpr const char* kLeftAlone[] = {"memory_limit", "max_execution_time", "error_reporting"};

struct IniChange {
    zend_string* outside;  ///< nullptr: what PHP has begun with
    zend_string* own;      ///< the request's value while it is saved
};

ClassicSettings* (*settings_of_running)() = nullptr;
bool is_called_here = false;

/// The settings of the calling code's request; nullptr when it has none, or the call is ours.
ClassicSettings* of_caller() {
    return is_called_here || !settings_of_running ? nullptr : settings_of_running();
}

zend_function* find_function(const char* name) {
    return static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), name, strlen(name)));
}

/// Calls one of PHP's functions, even while an exception propagates.
void call(const char* name, bool with_category, const char* word, zval* value, zval* returned) {
    zend_function* const function = find_function(name);
    ZVAL_UNDEF(returned);
    if (!function) return;
    zval arguments[2];
    uint32_t count = 0;
    if (with_category) ZVAL_LONG(&arguments[count++], LC_ALL);
    if (word) ZVAL_STR(&arguments[count++], zend_string_init(word, strlen(word), false));
    if (value) ZVAL_COPY(&arguments[count++], value);
    zend_object* const exception = EG(exception);
    EG(exception) = nullptr;
    is_called_here = true;
    zend_call_known_function(function, nullptr, nullptr, returned, count, arguments, nullptr);
    is_called_here = false;
    if (EG(exception)) zend_clear_exception();
    EG(exception) = exception;
    while (count > 0)
        zval_ptr_dtor(&arguments[--count]);
}

void get(const Setting& setting, zval* value) {
    const bool of_all = setting.asked == Setting::Asked::kOfAllCategories;
    zval null;
    ZVAL_NULL(&null);
    call(setting.getter, of_all, of_all ? "0" : nullptr,
         setting.asked == Setting::Asked::kWithNull ? &null : nullptr, value);
}

void set(const Setting& setting, zval* value) {
    zval returned;
    call(setting.function, setting.asked == Setting::Asked::kOfAllCategories, nullptr, value, &returned);
    zval_ptr_dtor(&returned);
}

/// The folder of a text domain.
void get_folder(zend_string* domain, zval* folder) {
    zval null;
    ZVAL_NULL(&null);
    call("bindtextdomain", false, ZSTR_VAL(domain), &null, folder);
}

void set_folder(zend_string* domain, zval* folder) {
    zval returned;
    call("bindtextdomain", false, ZSTR_VAL(domain), folder, &returned);
    zval_ptr_dtor(&returned);
}

zend_string* entry_value(zend_string* name) {
    zend_string* const value = zend_ini_get_value(name);
    return value ? zend_string_copy(value) : nullptr;
}

/// Sets an INI entry; nullptr: PHP's initial value. Uses a stage in which entries may not refuse.
void change_entry(zend_string* name, zend_string* value) {
    if (!value) {
        zend_restore_ini_entry(name, ZEND_INI_STAGE_DEACTIVATE);
        return;
    }
    const bool is_handler = &ps_globals && zend_string_equals_literal(name, "session.save_handler");
    if (is_handler) PS(set_handler) = true;
    zend_alter_ini_entry_ex(name, value, ZEND_INI_SYSTEM, ZEND_INI_STAGE_DEACTIVATE, true);
    if (is_handler) PS(set_handler) = false;
}

/// PHP refuses to change the settings of sessions while one is open, such as the script's.
void set_entry(zend_string* name, zend_string* value) {
    if (!&ps_globals) return change_entry(name, value);
    const php_session_status status = PS(session_status);
    PS(session_status) = php_session_none;
    change_entry(name, value);
    PS(session_status) = status;
}

bool is_same(const zend_string* left, const zend_string* right) {
    return left == right || (left && right && zend_string_equals(left, right));
}

void free_change(zval* value) {
    auto* const change = static_cast<IniChange*>(Z_PTR_P(value));
    if (change->outside) zend_string_release(change->outside);
    if (change->own) zend_string_release(change->own);
    efree(change);
}

template <typename F>
void for_each_change(HashTable* changes, F&& f) {
    zend_string* name;
    void* found;
    ZEND_HASH_FOREACH_STR_KEY_PTR(changes, name, found) {
        f(name, *static_cast<IniChange*>(found));
    }
    ZEND_HASH_FOREACH_END();
}

void note(INTERNAL_FUNCTION_PARAMETERS) {
    if (ClassicSettings* const settings = of_caller()) settings->note_call(execute_data->func);
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void note_named(INTERNAL_FUNCTION_PARAMETERS) {
    ClassicSettings* const settings = of_caller();
    if (settings && ZEND_NUM_ARGS() > 0 && Z_TYPE_P(ZEND_CALL_ARG(execute_data, 1)) == IS_STRING)
        settings->note_ini(Z_STR_P(ZEND_CALL_ARG(execute_data, 1)));
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void note_entry(ClassicSettings& settings, std::string_view entry) {
    zend_string* const name = zend_string_init(entry.data(), entry.size(), false);
    settings.note_ini(name);
    zend_string_release(name);
}

void note_one(INTERNAL_FUNCTION_PARAMETERS) {
    if (ClassicSettings* const settings = of_caller()) {
        for (const OneEntry& one : kOfOneEntry) {
            if (!zend_string_equals_cstr(execute_data->func->common.function_name, one.function,
                                         strlen(one.function)))
                continue;
            note_entry(*settings, one.entry);
        }
    }
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// Of the extension intl: a function, and a static method.
void note_locale(INTERNAL_FUNCTION_PARAMETERS) {
    if (ClassicSettings* const settings = of_caller()) note_entry(*settings, "intl.default_locale");
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

zend_ini_entry* find_entry(const char* name) {
    return static_cast<zend_ini_entry*>(zend_hash_str_find_ptr(EG(ini_directives), name, strlen(name)));
}

/// Before PHP gives the entry its new value.
int note_change(zend_ini_entry* entry, zend_string* value, void* argument1, void* argument2, void* argument3,
                int stage) {
    ClassicSettings* const settings = stage == ZEND_INI_STAGE_RUNTIME ? of_caller() : nullptr;
    if (settings) settings->note_ini(entry->name);
    for (const ChangedByPhp& changed : changed_by_php)
        if (changed.original &&
            zend_string_equals_cstr(entry->name, changed.entry, strlen(changed.entry)))
            return changed.original(entry, value, argument1, argument2, argument3, stage);
    return SUCCESS;
}

void watch_entries() {
    for (ChangedByPhp& changed : changed_by_php) {
        zend_ini_entry* const entry = find_entry(changed.entry);
        if (!entry || entry->on_modify == note_change) continue;
        changed.original = entry->on_modify;
        entry->on_modify = note_change;
    }
}

void release_entries() {
    for (const ChangedByPhp& changed : changed_by_php)
        if (zend_ini_entry* const entry = find_entry(changed.entry); entry && entry->on_modify == note_change)
            entry->on_modify = changed.original;
}

void note_text_domain(INTERNAL_FUNCTION_PARAMETERS) {
    ClassicSettings* const settings = of_caller();
    if (settings && ZEND_NUM_ARGS() > 1 && Z_TYPE_P(ZEND_CALL_ARG(execute_data, 1)) == IS_STRING)
        settings->note_text_domain(Z_STR_P(ZEND_CALL_ARG(execute_data, 1)));
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void note_context(INTERNAL_FUNCTION_PARAMETERS) {
    if (ClassicSettings* const settings = of_caller()) settings->stream_context().note();
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void note_session_call(INTERNAL_FUNCTION_PARAMETERS) {
    if (ClassicSettings* const settings = of_caller()) settings->note_session();
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// Does nothing: the time limit is the process's. A request has Http\Limits::$requestSeconds.
void leave_time_limit(INTERNAL_FUNCTION_PARAMETERS) {
    if (of_caller()) RETURN_TRUE;
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

template <typename F>
void for_each_watched(F&& f) {
    const auto each = [&f](const char* name, zif_handler handler) {
        if (zend_function* const function = find_function(name)) f(function, handler);
    };
    for (const Setting& setting : kSettings)
        each(setting.function, note);
    for (const char* name : kNaming)
        each(name, note_named);
    for (const OneEntry& one : kOfOneEntry)
        each(one.function, note_one);
    for (const char* name : kOfSessions)
        each(name, note_session_call);
    for (const char* name : kOfDefaultContext)
        each(name, note_context);
    each("bindtextdomain", note_text_domain);
    each("set_time_limit", leave_time_limit);
    each("locale_set_default", note_locale);
    if (const zend_class_entry* const locale = find_internal_class("locale")) {
        void* const method = zend_hash_str_find_ptr(&locale->function_table, ZEND_STRL("setdefault"));
        if (method) f(static_cast<zend_function*>(method), note_locale);
    }
}

}  // namespace

void ClassicSettings::note_call(const zend_function* function) {
    static_assert(std::size(kSettings) == kCalls);
    for (size_t index = 0; index < kCalls; ++index) {
        const char* const name = kSettings[index].function;
        if (!zend_string_equals_cstr(function->common.function_name, name, strlen(name))) continue;
        Call& noted = calls_[index];
        if (noted.noted) return;
        noted.noted = any_call_ = true;
        get(kSettings[index], &noted.outside);
    }
}

void ClassicSettings::note_ini(zend_string* name) {
    for (const char* left : kLeftAlone)
        if (zend_string_equals_cstr(name, left, strlen(left))) return;
    const auto* const entry =
        static_cast<const zend_ini_entry*>(zend_hash_find_ptr(EG(ini_directives), name));
    if (!entry) return;
    if (!ini_) {
        ALLOC_HASHTABLE(ini_);
        zend_hash_init(ini_, 8, nullptr, free_change, false);
    }
    if (zend_hash_exists(ini_, name)) return;
    auto* const change = static_cast<IniChange*>(emalloc(sizeof(IniChange)));
    // Also while PHP is changing it, when it counts as modified, and has the value that it has begun with.
    const bool is_modified = entry->modified && entry->value != entry->orig_value;
    *change = {is_modified ? entry_value(name) : nullptr, nullptr};
    zend_hash_add_new_ptr(ini_, name, change);
}

void ClassicSettings::note_session() {
    if (uses_session_ || !&ps_globals) return;
    uses_session_ = true;
    take_session(session_outside);
    begin_session();
    if (PS(use_trans_sid) && !PS(use_only_cookies) && scheduler() && enclosing_coroutine()) {
        PS(use_trans_sid) = false;
        if (is_first_here("session.use_trans_sid"))
            SLUICE_WARNING(
                "session.use_trans_sid is off where there are coroutines, for PHP would write the id of one "
                "session "
                "into the pages of all requests: use cookies, or Http\\Options::$processes");
    }
    for (const char* entry : kSessionEntries)
        note_entry(*this, entry);
}

void ClassicSettings::note_text_domain(zend_string* domain) {
    if (!text_domains_) {
        ALLOC_HASHTABLE(text_domains_);
        zend_hash_init(
            text_domains_, 8, nullptr,
            [](zval* value) {
                auto* const noted = static_cast<Call*>(Z_PTR_P(value));
                zval_ptr_dtor(&noted->outside);
                zval_ptr_dtor(&noted->own);
                efree(noted);
            },
            false);
    }
    if (zend_hash_exists(text_domains_, domain)) return;
    auto* const noted = static_cast<Call*>(ecalloc(1, sizeof(Call)));
    get_folder(domain, &noted->outside);
    zend_hash_add_new_ptr(text_domains_, domain, noted);
}

void ClassicSettings::set_aside() {
    stream_context_.set_aside();
    if (text_domains_) {
        zend_string* domain;
        void* found;
        ZEND_HASH_FOREACH_STR_KEY_PTR(text_domains_, domain, found) {
            auto* const noted = static_cast<Call*>(found);
            get_folder(domain, &noted->own);
            set_folder(domain, &noted->outside);
        }
        ZEND_HASH_FOREACH_END();
    }
    if (uses_session_) {
        if (!session_) session_ = static_cast<SessionFields*>(emalloc(sizeof(SessionFields)));
        take_session(*session_);
        put_session(session_outside);
    }
    if (ini_) {
        for_each_change(ini_, [](zend_string* name, IniChange& change) {
            const auto* const entry =
                static_cast<const zend_ini_entry*>(zend_hash_find_ptr(EG(ini_directives), name));
            change.own = entry && entry->modified ? entry_value(name) : nullptr;
            if (!is_same(change.own, change.outside)) set_entry(name, change.outside);
        });
    }
    if (!any_call_) return;
    for (size_t index = kCalls; index-- > 0;) {
        Call& noted = calls_[index];
        if (!noted.noted) continue;
        get(kSettings[index], &noted.own);
        if (!zend_is_identical(&noted.own, &noted.outside)) set(kSettings[index], &noted.outside);
    }
}

void ClassicSettings::put_in_place() {
    stream_context_.put_in_place();
    if (text_domains_) {
        zend_string* domain;
        void* found;
        ZEND_HASH_FOREACH_STR_KEY_PTR(text_domains_, domain, found) {
            auto* const noted = static_cast<Call*>(found);
            set_folder(domain, &noted->own);
            zval_ptr_dtor(&noted->own);
            ZVAL_UNDEF(&noted->own);
        }
        ZEND_HASH_FOREACH_END();
    }
    if (any_call_) {
        for (size_t index = 0; index < kCalls; ++index) {
            Call& noted = calls_[index];
            if (!noted.noted) continue;
            if (!zend_is_identical(&noted.own, &noted.outside)) set(kSettings[index], &noted.own);
            zval_ptr_dtor(&noted.own);
            ZVAL_UNDEF(&noted.own);
        }
    }
    if (ini_) {
        for_each_change(ini_, [](zend_string* name, IniChange& change) {
            if (!is_same(change.own, change.outside)) set_entry(name, change.own);
            if (change.own) zend_string_release(change.own);
            change.own = nullptr;
        });
    }
    if (uses_session_) {
        take_session(session_outside);
        put_session(*session_);
    }
}

void ClassicSettings::end_session() {
    if (uses_session_ && PS(session_status) == php_session_active) flush_session(1);
}

void ClassicSettings::release() {
    if (uses_session_) {
        release_session();
        put_session(session_outside);
        if (session_) efree(session_);
        uses_session_ = false;
    }
    set_aside();
    stream_context_.release();
    if (text_domains_) {
        zend_hash_destroy(text_domains_);
        FREE_HASHTABLE(text_domains_);
    }
    for (Call& noted : calls_) {
        if (!noted.noted) continue;
        zval_ptr_dtor(&noted.outside);
        zval_ptr_dtor(&noted.own);
    }
    if (ini_) {
        zend_hash_destroy(ini_);
        FREE_HASHTABLE(ini_);
    }
    *this = {};
}

void watch_settings(ClassicSettings* (*of_running)()) {
    settings_of_running = of_running;
    for_each_watched([](zend_function* function, zif_handler handler) { wrap_function(function, handler); });
    watch_entries();
    allow_sessions([]() -> bool {
        ClassicSettings* const settings = of_caller();
        if (settings) settings->note_session();
        return settings;
    });
}

void release_settings() {
    if (!settings_of_running) return;
    for_each_watched([](zend_function* function, zif_handler handler) { unwrap_function(function, handler); });
    release_entries();
}

}  // namespace sluice::php
