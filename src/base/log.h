#pragma once

#include <string>

namespace sluice::log {

enum class Level { kInfo, kWarning, kError };

/// Who speaks in this process, e.g. "worker 2"; set once after each fork.
void set_speaker(const std::string& name);

/// Redirects the lines of this process and of those it forks to a file, appended to; empty: standard error.
/// False with errno when it cannot be opened.
bool open_file(const std::string& path);

/// One line: time, process, level, text. Safe from any thread; a line is one write(2).
[[gnu::format(printf, 2, 3)]] void write(Level level, const char* format, ...);

}  // namespace sluice::log

#define SLUICE_INFO(...) ::sluice::log::write(::sluice::log::Level::kInfo, __VA_ARGS__)
#define SLUICE_WARNING(...) ::sluice::log::write(::sluice::log::Level::kWarning, __VA_ARGS__)
#define SLUICE_ERROR(...) ::sluice::log::write(::sluice::log::Level::kError, __VA_ARGS__)
