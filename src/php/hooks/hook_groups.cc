#include "php/hooks/hook_groups.h"

#include "php/zend/php_api.h"

namespace sluice::php {

namespace {

struct Name {
    std::string_view text;
    unsigned groups;
};

// The first names are PHP's words for yes and no in settings.
constexpr Name kNames[] = {
    {"1", kAllHooks},
    {"on", kAllHooks},
    {"yes", kAllHooks},
    {"true", kAllHooks},
    {"all", kAllHooks},
    {"0", 0},
    {"off", 0},
    {"no", 0},
    {"false", 0},
    {"none", 0},
    {"time", kTimeHooks},
    {"sockets", kSocketHooks},
    {"names", kNameHooks},
    {"locks", kLockHooks},
    {"processes", kProcessHooks},
    {"files", kFileHooks},
};

constexpr std::string_view kSeparators = ", \t";

unsigned installed = 0;

bool is_same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

bool read_hook_groups(std::string_view value, unsigned& groups, std::string_view& wrong) {
    groups = 0;
    for (;;) {
        const size_t start = value.find_first_not_of(kSeparators);
        if (start == value.npos) return true;
        value.remove_prefix(start);
        const std::string_view word = value.substr(0, value.find_first_of(kSeparators));
        value.remove_prefix(word.size());
        bool known = false;
        for (const Name& name : kNames) {
            if (!is_same(name.text, word)) continue;
            groups |= name.groups;
            known = true;
        }
        if (known) continue;
        wrong = word;
        return false;
    }
}

unsigned configured_hook_groups() {
    const char* value = INI_STR("sluice.hooks");
    unsigned groups = 0;
    std::string_view wrong;
    return read_hook_groups(value ? value : "", groups, wrong) ? groups : unsigned{kAllHooks};
}

void check_hook_groups() {
    const char* value = INI_STR("sluice.hooks");
    unsigned groups = 0;
    std::string_view wrong;
    if (read_hook_groups(value ? value : "", groups, wrong)) return;
    zend_error(E_WARNING,
               "sluice.hooks = \"%s\": there is no group \"%.*s\". Give \"all\", \"none\", or some of time, "
               "sockets, "
               "names, locks, processes, files. Now all are switched on",
               value, static_cast<int>(wrong.size()), wrong.data());
}

unsigned installed_hooks() {
    return installed;
}

void note_installed_hooks(unsigned groups) {
    installed = groups;
}

}  // namespace sluice::php
