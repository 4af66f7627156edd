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

/// Reads the groups that a value of `sluice.hooks` names. False at an unknown word, which becomes
/// `wrong`.
bool read_hook_groups(std::string_view value, unsigned& groups, std::string_view& wrong);

/// For module startup: warns of an invalid setting.
void check_hook_groups();
/// The groups that the setting switches on; all when it is invalid.
unsigned configured_hook_groups();

/// The groups that are installed in this process now.
unsigned installed_hooks();
void note_installed_hooks(unsigned groups);

}  // namespace sluice::php
