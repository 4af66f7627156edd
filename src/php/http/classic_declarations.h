#pragma once

namespace sluice::php {

/// From now on a script that runs again in a worker may come to its declarations again: classes that PHP
/// declares as it runs (enums, those with interfaces, traits or `__toString()`, children before their
/// parents), and functions inside an `if`. What it has declared stays. `is_running`: whether the running code
/// is such a script's.
void let_scripts_declare_again(bool (*is_running)());

}  // namespace sluice::php
