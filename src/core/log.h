#pragma once

#include <string>
#include <string_view>

namespace sluice::log {

enum class Level { kInfo, kWarning, kError };

/// Who speaks in this process, e.g. "worker 2"; set once after each fork.
void set_speaker(const std::string& name);

/// Redirects the lines of this process and of those it forks to a file, appended to; empty: standard error.
/// False with errno when it cannot be opened.
bool open_file(const std::string& path);

/// What takes a line to a descriptor, and tells whether all of it is there; without one, write(2) does.
void put_lines_by(bool (*put)(int fd, std::string_view line));

/// Opens the file anew, as it may have been renamed. False with errno when that fails; the old one stays.
bool reopen();

/// One line: time, process, level, text. Safe from any thread; a line is one write(2). One that cannot be
/// written is lost; the next one that can be follows a line that tells how many were.
[[gnu::format(printf, 2, 3)]] void write(Level level, const char* format, ...);

}  // namespace sluice::log

#define SLUICE_INFO(...) ::sluice::log::write(::sluice::log::Level::kInfo, __VA_ARGS__)
#define SLUICE_WARNING(...) ::sluice::log::write(::sluice::log::Level::kWarning, __VA_ARGS__)
#define SLUICE_ERROR(...) ::sluice::log::write(::sluice::log::Level::kError, __VA_ARGS__)
