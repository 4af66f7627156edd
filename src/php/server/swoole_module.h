#pragma once

namespace sluice::php {

/// Registers a module named `swoole` with this version, and the settings of that extension, for programs that
/// ask whether it is there. Its classes are those of the package sluice/swoole. Does nothing for an empty
/// version, and where Swoole itself is loaded. Call it while PHP starts its modules.
void stand_in_for_swoole(const char* version);

}  // namespace sluice::php
