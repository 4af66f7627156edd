#include "php/server/server_arguments.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "io/listen_address.h"
#include "php/options/listener_class.h"
#include "server/config/admin_spec.h"
#include "server/config/limits.h"
#include "server/observer/admin_gate.h"

namespace sluice::php {

zend_long cpu_count() {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) return CPU_COUNT(&usable);
    return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

bool check_count(zend_long count, zend_long most, uint32_t number) {
    if (count >= 1 && count <= most) return true;
    zend_argument_value_error(number, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                              most, count);
    return false;
}

bool check_most_workers(zend_long workers, zend_long chosen, zend_long most, Mode mode, uint32_t number) {
    if (chosen < workers || chosen > most) {
        zend_argument_value_error(number,
                                  "must be between $workers (" ZEND_LONG_FMT ") and " ZEND_LONG_FMT
                                  ", " ZEND_LONG_FMT " given",
                                  workers, most, chosen);
        return false;
    }
    if (chosen == workers || mode == Mode::kProcess) return true;
    zend_argument_value_error(number,
                              "must be $workers (" ZEND_LONG_FMT
                              ") in base mode, where workers have connections of their own, " ZEND_LONG_FMT
                              " given",
                              workers, chosen);
    return false;
}

bool fit_reactors(zend_long arena_bytes, zend_long longest, bool may_reduce, zend_long& reactors) {
    const zend_long most = longest > 0 ? std::max<zend_long>(1, arena_bytes / (2 * longest)) : reactors;
    if (may_reduce) reactors = std::min(reactors, most);
    if (reactors <= most) return true;
    zend_argument_value_error(3,
                              "must be at most " ZEND_LONG_FMT
                              " so that each reactor's share of $arenaBytes (" ZEND_LONG_FMT
                              ") holds two messages of " ZEND_LONG_FMT " bytes, " ZEND_LONG_FMT " given",
                              most, arena_bytes, longest, reactors);
    return false;
}

bool fit_endpoint(ServerSetup& setup, const EndpointSpec& endpoint, uint32_t number) {
    ServerConfig& config = setup.config;
    const uint64_t longest = endpoint.longest_in_arena(config.limits.temporary_file_bytes);
    if (config.mode != Mode::kProcess || longest == 0) return true;
    const uint64_t most = std::max<uint64_t>(1, config.limits.arena_bytes / (2 * longest));
    if (!setup.reactors_chosen)
        config.reactors = static_cast<unsigned>(std::min<uint64_t>(config.reactors, most));
    if (config.reactors <= most) return true;
    zend_argument_value_error(
        number,
        "must let the share of each of the %u reactors in Limits::$arenaBytes (" ZEND_ULONG_FMT
        ") hold two messages: at most " ZEND_ULONG_FMT " bytes for one, " ZEND_ULONG_FMT " given",
        config.reactors, config.limits.arena_bytes, config.limits.arena_bytes / (2 * config.reactors),
        longest);
    return false;
}

bool check_identity(zend_string* user, zend_string* group, std::optional<Identity>& identity) {
    std::string unknown;
    identity = Identity::of(ZSTR_VAL(user), group ? ZSTR_VAL(group) : "", unknown);
    if (identity) return true;
    const bool is_group = unknown != ZSTR_VAL(user);
    zend_argument_value_error(is_group ? 2 : 1, "must be the name of a %s of this system, \"%s\" given",
                              is_group ? "group" : "user", unknown.c_str());
    return false;
}

bool check_file(zend_string* path, uint32_t number) {
    if (ZSTR_LEN(path) == 0) {
        zend_argument_value_error(number, "must not be empty; null is for no file");
        return false;
    }
    zend_string* directory = zend_string_init(ZSTR_VAL(path), ZSTR_LEN(path), false);
    ZSTR_LEN(directory) = zend_dirname(ZSTR_VAL(directory), ZSTR_LEN(directory));
    struct stat about;
    const bool is_there = stat(ZSTR_VAL(directory), &about) == 0 && S_ISDIR(about.st_mode);
    zend_string_release(directory);
    const bool is_directory = stat(ZSTR_VAL(path), &about) == 0 && S_ISDIR(about.st_mode);
    if (is_there && !is_directory) return true;
    zend_argument_value_error(number, "must be a file in a directory that exists, \"%s\" given",
                              ZSTR_VAL(path));
    return false;
}

bool check_folder(zend_string* path, uint32_t number) {
    struct stat about;
    if (stat(ZSTR_VAL(path), &about) == 0 && S_ISDIR(about.st_mode) &&
        access(ZSTR_VAL(path), W_OK | X_OK) == 0)
        return true;
    zend_argument_value_error(number, "must be a folder that can be written to, \"%s\" given",
                              ZSTR_VAL(path));
    return false;
}

namespace {

/// Calls `why_not` with each string; it returns the rest of the error's sentence, or nullptr.
template <typename F>
bool check_strings(HashTable* strings, uint32_t number, const char* what, F&& why_not) {
    zval* item;
    ZEND_HASH_FOREACH_VAL(strings, item) {
        ZVAL_DEREF(item);
        if (Z_TYPE_P(item) != IS_STRING) {
            zend_argument_type_error(number, "must be a list of %s, %s among them", what,
                                     zend_zval_type_name(item));
            return false;
        }
        if (const char* const reason = why_not(Z_STR_P(item))) {
            zend_argument_value_error(number, "must be a list of %s, \"%s\" %s", what, Z_STRVAL_P(item),
                                      reason);
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    if (zend_hash_num_elements(strings) > 0) return true;
    zend_argument_value_error(number, "must be a list of %s, and not an empty one", what);
    return false;
}

}  // namespace

bool check_paths(HashTable* paths, uint32_t number) {
    return check_strings(paths, number, "folders and files", [](const zend_string* path) {
        return strlen(ZSTR_VAL(path)) == ZSTR_LEN(path) && access(ZSTR_VAL(path), R_OK) == 0
                   ? nullptr
                   : "cannot be read";
    });
}

bool check_patterns(HashTable* patterns, uint32_t number) {
    return check_strings(patterns, number, "patterns of files' names",
                         [](const zend_string* pattern) -> const char* {
                             if (view(pattern).find('/') != std::string_view::npos) return "has a slash";
                             return ZSTR_LEN(pattern) == 0 ? "is empty" : nullptr;
                         });
}

bool check_places(HashTable* patterns, uint32_t number) {
    return check_strings(patterns, number, "patterns of places", [](const zend_string* pattern) {
        return ZSTR_LEN(pattern) == 0 ? "is empty" : nullptr;
    });
}

bool check_admin(zend_string* address, zend_string* token) {
    if (!ListenAddress::parse(view(address))) {
        refuse_address(address);
        return false;
    }
    if (token) {
        static constexpr std::string_view kOthers = "-._~+/=";
        const bool is_written_so = std::ranges::all_of(view(token), [](const char c) {
            return isalnum(static_cast<unsigned char>(c)) || kOthers.find(c) != kOthers.npos;
        });
        // Without the token itself: messages end up in logs.
        if (is_written_so && ZSTR_LEN(token) >= AdminSpec::kLeastToken &&
            ZSTR_LEN(token) <= AdminSpec::kMostToken)
            return true;
        zend_argument_value_error(
            2,
            "must have %zu to %zu letters, digits and \"-._~+/=\": Authorization: Bearer can carry no "
            "others; %s given",
            AdminSpec::kLeastToken, AdminSpec::kMostToken,
            is_written_so ? (std::to_string(ZSTR_LEN(token)) + " bytes").c_str() : "another character");
        return false;
    }
    if (is_local({std::string(view(address)), {}})) return true;
    zend_argument_value_error(
        2,
        "must not be null when other machines can reach the admin listener: \"%s\" is neither a loopback "
        "address nor a Unix socket",
        ZSTR_VAL(address));
    return false;
}

std::vector<std::string> strings_of(HashTable* strings) {
    std::vector<std::string> all;
    zval* item;
    ZEND_HASH_FOREACH_VAL(strings, item) {
        ZVAL_DEREF(item);
        all.emplace_back(view(Z_STR_P(item)));
    }
    ZEND_HASH_FOREACH_END();
    return all;
}

}  // namespace sluice::php
