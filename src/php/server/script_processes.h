#pragma once

namespace sluice::php {

struct Worker;

/// Serves scripts in this process, a fork in the midst of the server's script, until it is to end; never
/// returns to that script.
[[noreturn]] void serve_scripts(Worker& worker);

}  // namespace sluice::php
