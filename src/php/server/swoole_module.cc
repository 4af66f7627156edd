#include "php/server/swoole_module.h"

#include <SAPI.h>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

#include "php/zend/php_api.h"

namespace sluice::php {

namespace {

constexpr const char* kName = "swoole";
/// The package sluice/swoole, below the folder of a project.
constexpr const char* kLayer = "/vendor/sluice/swoole/src/autoload.php";

// clang-format off
PHP_INI_BEGIN()
    PHP_INI_ENTRY("swoole.use_shortname", "1", PHP_INI_SYSTEM, nullptr)
    PHP_INI_ENTRY("swoole.enable_library", "1", PHP_INI_ALL, nullptr)
    PHP_INI_ENTRY("swoole.enable_fiber_mock", "0", PHP_INI_ALL, nullptr)
    PHP_INI_ENTRY("swoole.enable_preemptive_scheduler", "0", PHP_INI_ALL, nullptr)
    PHP_INI_ENTRY("swoole.display_errors", "1", PHP_INI_ALL, nullptr)
    PHP_INI_ENTRY("swoole.socket_buffer_size", "8388608", PHP_INI_ALL, nullptr)
    PHP_INI_ENTRY("swoole.leak_detection", "0", PHP_INI_SYSTEM, nullptr)
    PHP_INI_ENTRY("swoole.profile", "0", PHP_INI_SYSTEM, nullptr)
    PHP_INI_ENTRY("swoole.blocking_detection", "0", PHP_INI_SYSTEM, nullptr)
    PHP_INI_ENTRY("swoole.blocking_threshold", "100000", PHP_INI_SYSTEM, nullptr)
PHP_INI_END()
// clang-format on

/// 6.2.2 as 60202, and its parts as constants of their own.
void register_version(const char* version, int module_number) {
    zend_register_string_constant("SWOOLE_VERSION", strlen("SWOOLE_VERSION"), version,
                                  CONST_CS | CONST_PERSISTENT, module_number);
    static constexpr const char* kParts[] = {"SWOOLE_MAJOR_VERSION", "SWOOLE_MINOR_VERSION",
                                             "SWOOLE_RELEASE_VERSION"};
    const char* at = version;
    const char* const end = version + strlen(version);
    zend_long id = 0;
    for (const char* name : kParts) {
        unsigned part = 0;
        at = std::from_chars(at, end, part).ptr;
        if (at < end && *at == '.') ++at;
        id = id * 100 + part;
        zend_register_long_constant(name, strlen(name), part, CONST_CS | CONST_PERSISTENT, module_number);
    }
    zend_register_long_constant("SWOOLE_VERSION_ID", strlen("SWOOLE_VERSION_ID"), id,
                                CONST_CS | CONST_PERSISTENT, module_number);
    zend_register_string_constant("SWOOLE_EXTRA_VERSION", strlen("SWOOLE_EXTRA_VERSION"), at,
                                  CONST_CS | CONST_PERSISTENT, module_number);
}

PHP_MINIT_FUNCTION(swoole) {
    (void)type;
    REGISTER_INI_ENTRIES();
    const auto* self =
        static_cast<const zend_module_entry*>(zend_hash_str_find_ptr(&module_registry, kName, strlen(kName)));
    register_version(self->version, module_number);
    return SUCCESS;
}

PHP_MSHUTDOWN_FUNCTION(swoole) {
    (void)type;
    UNREGISTER_INI_ENTRIES();
    return SUCCESS;
}

/// The layer's file in the project that has this script, or this folder; "" without one.
std::string layer_above(const char* script) {
    char resolved[PATH_MAX];
    std::string folder = script && realpath(script, resolved) ? resolved : "";
    if (folder.empty() && getcwd(resolved, sizeof resolved)) folder = std::string(resolved) + "/";
    while (!folder.empty()) {
        folder.resize(folder.rfind('/'));
        std::string file = folder + kLayer;
        if (access(file.c_str(), R_OK) == 0) return file;
    }
    return "";
}

/// Classes of an extension are there before a script loads Composer's autoloader, and so are the package's.
PHP_RINIT_FUNCTION(swoole) {
    (void)type;
    (void)module_number;
    if (PG(auto_prepend_file) && *PG(auto_prepend_file)) return SUCCESS;
    const std::string file = layer_above(SG(request_info).path_translated);
    if (file.empty()) return SUCCESS;
    zend_string* name = zend_string_init("auto_prepend_file", strlen("auto_prepend_file"), false);
    zend_alter_ini_entry_chars(name, file.data(), file.size(), PHP_INI_SYSTEM, PHP_INI_STAGE_ACTIVATE);
    zend_string_release(name);
    return SUCCESS;
}

// clang-format off
zend_module_entry entry = {
    STANDARD_MODULE_HEADER,
    kName,
    nullptr,
    PHP_MINIT(swoole),
    PHP_MSHUTDOWN(swoole),
    PHP_RINIT(swoole),
    nullptr,
    nullptr,
    nullptr,
    STANDARD_MODULE_PROPERTIES,
};
// clang-format on

}  // namespace

void stand_in_for_swoole(const char* version) {
    if (!version || !*version || zend_hash_str_exists(&module_registry, kName, strlen(kName))) return;
    entry.version = version;
    // PHP starts it with the modules that follow. The running one goes on to register its classes.
    zend_module_entry* const running = EG(current_module);
    zend_register_internal_module(&entry);
    EG(current_module) = running;
}

}  // namespace sluice::php
