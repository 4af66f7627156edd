#include "php/hooks/hooks.h"

#include <dlfcn.h>
#include <vector>

#include "php/coroutine/known_extensions.h"
#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"
#include "php/hooks/hook_groups.h"
#include "php/hooks/hooks_of_files.h"
#include "php/hooks/hooks_of_locks.h"
#include "php/hooks/hooks_of_names.h"
#include "php/hooks/hooks_of_polling.h"
#include "php/hooks/hooks_of_processes.h"
#include "php/hooks/hooks_of_sockets.h"
#include "php/hooks/hooks_of_time.h"

namespace sluice::php {

namespace {

unsigned long long libraries_seen = 0;

/// A library that is loaded in the middle of a call must be hooked when that call goes on. Libraries that the
/// C library loads itself do not pass here: they are found at the next turn of the loop.
void* hooked_dlopen(const char* name, int flags) {
    void* const library = dlopen(name, flags);
    if (library && is_own_thread()) hook_new_libraries();
    return library;
}

const Redirection kLoadingHooks[] = {SLUICE_HOOK(dlopen)};

struct Hooks {
    unsigned groups;  ///< hooks are installed when any of these groups is on
    std::span<const Redirection> (*redirections)();
};

constexpr Hooks kHooks[] = {
    {kAllHooks, [] { return std::span<const Redirection>(kLoadingHooks); }},
    {kTimeHooks, time_hooks},
    {kSocketHooks, polling_hooks},
    {kSocketHooks, socket_hooks},
    {kSocketHooks | kFileHooks, reading_hooks},
    {kNameHooks, name_hooks},
    {kLockHooks, lock_hooks},
    {kProcessHooks, process_hooks},
    {kFileHooks, file_hooks},
};

std::vector<Redirection> redirections_of(unsigned groups) {
    std::vector<Redirection> all;
    for (const Hooks& hooks : kHooks) {
        const std::span<const Redirection> some = hooks.redirections();
        if (hooks.groups & groups) all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace

void install_hooks() {
    const unsigned groups = configured_hook_groups();
    if (groups == 0) return;
    own_this_thread();
    note_installed_hooks(groups);
    libraries_seen = loaded_libraries();
    for_each_unknown_extension([](const zend_module_entry& extension) { leave_alone(extension.name); });
    redirect_imports(redirections_of(groups));
}

void hook_new_libraries() {
    if (installed_hooks() && loaded_libraries() != libraries_seen) install_hooks();
}

void remove_hooks() {
    if (!installed_hooks()) return;
    note_installed_hooks(0);
    restore_imports(redirections_of(kAllHooks));
}

}  // namespace sluice::php
