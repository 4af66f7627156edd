#pragma once

#include <string_view>

namespace sluice::php {

/// What `sluice.hooks` switches on and off; as bits.
enum HookGroup : unsigned {
    kTimeHooks = 1,
    kSocketHooks = 2,
    kNameHooks = 4,
    kLockHooks = 8,
    kProcessHooks = 16,
    kFileHooks = 32,
    kAllHooks = 63,
};

/// The groups that a value of `sluice.hooks` names. False when there is a word in it that is none; `wrong` is
/// that word then.
bool read_hook_groups(std::string_view value, unsigned& groups, std::string_view& wrong);

/// For the module's start: says what is wrong with the setting, if anything is.
void check_hook_groups();
/// What the setting switches on; everything when it is wrong.
unsigned configured_hook_groups();

/// What is switched on in this process now.
unsigned installed_hooks();
void note_installed_hooks(unsigned groups);

}  // namespace sluice::php
