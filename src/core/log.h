#pragma once

#include <string>
#include <string_view>

namespace sluice {
struct TraceIds;
}

namespace sluice::log {

enum class Level { kInfo, kWarning, kError };

/// The name of this process in each line, e.g. "worker 2"; set once after each fork.
void set_speaker(const std::string& name);

/// Appends the lines of this process, and of those that it forks, to a file; an empty path: standard error.
/// False with errno when the file cannot be opened.
bool open_file(const std::string& path);

/// Sets what writes a line and tells whether all of it is written. Default: write(2).
void put_lines_by(bool (*put)(int fd, std::string_view line));

/// Sets what tells the trace that a line concerns, which is asked for each line in the thread that writes it:
/// false when it concerns none. The line ends with the ids, and has them as `trace_id` and `span_id` in JSON.
void name_traces_by(bool (*ids_of_running)(TraceIds& ids));

/// Opens the file anew, as it may have been renamed. False with errno, and the old file, if that fails.
bool reopen();

/// Writes one line: time, process, level, text. Safe from any thread; a line is one write(2). A line that
/// cannot be written is lost; the next one that is written follows a line with the number of lost ones.
[[gnu::format(printf, 2, 3)]] void write(Level level, const char* format, ...);

}  // namespace sluice::log

#define SLUICE_INFO(...) ::sluice::log::write(::sluice::log::Level::kInfo, __VA_ARGS__)
#define SLUICE_WARNING(...) ::sluice::log::write(::sluice::log::Level::kWarning, __VA_ARGS__)
#define SLUICE_ERROR(...) ::sluice::log::write(::sluice::log::Level::kError, __VA_ARGS__)
