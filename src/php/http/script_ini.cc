#include "php/http/script_ini.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "php/zend/php_api.h"
// clang-format off
#include <Zend/zend_ini_scanner.h>
#include <main/php_ini.h>
// clang-format on

// No header of PHP's declares them.
extern "C" {
extern char* php_ini_opened_path;
extern char* php_ini_scanned_files;
}

namespace sluice::php {

namespace {

struct Setting {
    const char* name;
    const char* of_command_line;
    std::string of_servers;  ///< PHP's default, until php.ini says something else
};
Setting settings[] = {
    {"html_errors", "0", "1"},
    {"register_argc_argv", "1", "1"},
    {"implicit_flush", "1", "0"},
    {"output_buffering", "0", "0"},
    {"max_execution_time", "0", "30"},
    // The body has come before the script begins.
    {"max_input_time", "", "-1"},
};

bool is_fixed(const Setting& setting) {
    return !*setting.of_command_line;
}

void note_entry(zval* name, zval* value, zval*, int kind, void*) {
    if (kind != ZEND_INI_PARSER_ENTRY || !value) return;
    for (Setting& setting : settings)
        if (!is_fixed(setting) && zend_string_equals_cstr(Z_STR_P(name), setting.name, strlen(setting.name)))
            setting.of_servers.assign(Z_STRVAL_P(value), Z_STRLEN_P(value));
}

void read_file(const char* path) {
    FILE* const opened = fopen(path, "r");
    if (!opened) return;
    zend_file_handle file;
    zend_stream_init_fp(&file, opened, path);
    zend_parse_ini_file(&file, true, ZEND_INI_SCANNER_NORMAL, note_entry, nullptr);
    zend_destroy_file_handle(&file);
}

void read_all_files() {
    if (php_ini_opened_path) read_file(php_ini_opened_path);
    std::string list = php_ini_scanned_files ? php_ini_scanned_files : "";
    for (size_t begin = 0; begin < list.size();) {
        const size_t end = std::min(list.find(',', begin), list.size());
        std::string path = list.substr(begin, end - begin);
        path.erase(0, path.find_first_not_of(" \n"));
        path.erase(path.find_last_not_of(" \n") + 1);
        if (!path.empty()) read_file(path.c_str());
        begin = end + 1;
    }
}

void set(const char* name, const std::string& value) {
    auto* const entry =
        static_cast<zend_ini_entry*>(zend_hash_str_find_ptr(EG(ini_directives), name, strlen(name)));
    if (!entry) return;
    zend_string* const text = zend_string_init(value.data(), value.size(), true);
    const bool is_taken =
        !entry->on_modify || entry->on_modify(entry, text, entry->mh_arg1, entry->mh_arg2, entry->mh_arg3,
                                              ZEND_INI_STAGE_STARTUP) == SUCCESS;
    if (is_taken) {
        entry->value = text;
    } else {
        zend_string_release(text);
    }
}

}  // namespace

bool servers_buffer_output() {
    static const bool buffers = [] {
        const char* given = nullptr;
        const bool is_given =
            cfg_get_string("output_buffering", const_cast<char**>(&given)) == SUCCESS && given;
        if (is_given && strcmp(given, "0") != 0) return true;
        read_all_files();
        for (const Setting& setting : settings)
            if (strcmp(setting.name, "output_buffering") == 0)
                return strcasecmp(setting.of_servers.c_str(), "on") == 0 ||
                       atoi(setting.of_servers.c_str()) > 0;
        return false;
    }();
    return buffers;
}

void take_ini_of_servers() {
    read_all_files();
    for (const Setting& setting : settings) {
        const char* given = nullptr;
        // A value of the command line's own is what `-d` says.
        if (!is_fixed(setting) && cfg_get_string(setting.name, const_cast<char**>(&given)) == SUCCESS &&
            given && strcmp(given, setting.of_command_line) != 0)
            continue;
        set(setting.name, setting.of_servers);
    }
}

}  // namespace sluice::php
