#pragma once

namespace sluice::php {

/// From now on a script that runs again in a worker may come to its declarations again: classes that PHP
/// declares as it runs (enums, those with interfaces, traits or `__toString()`, children before their
/// parents), and functions inside an `if`. What it has declared stays. `is_running`: whether the running code
/// is such a script's.
///
/// Call it in every process, before it compiles anything: opcache hands code that was compiled with these
/// handlers to the processes beside it, and PHP calls a handler that is missing there all the same.
void let_scripts_declare_again(bool (*is_running)());

/// Has opcache.file_cache use other files than a PHP without this extension: that one has no such handlers, and
/// must not load code from the files of one that has. Call it while PHP starts.
void keep_compiled_code_apart();

}  // namespace sluice::php
