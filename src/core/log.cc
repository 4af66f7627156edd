#include "core/log.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log_format.h"
#include "core/shared_log.h"
#include "core/trace_ids.h"
#include "core/utf8.h"

namespace sluice::log {

namespace {
std::string speaker = "script";
std::string file;  ///< empty: standard error
std::atomic<int> output = STDERR_FILENO;
std::atomic<uint32_t> lost_lines = 0;

constexpr int kFlags = O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

int open_output(const std::string& path) {
    if (!path.empty()) return open(path.c_str(), kFlags | O_CREAT, 0644);
    // A pipe or terminal is opened anew as non-blocking, since O_NONBLOCK on the inherited one would affect
    // everybody who shares it. A file is kept: its writers must share one file offset.
    struct stat about {};
    if (fstat(STDERR_FILENO, &about) != 0 || !(S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode)))
        return STDERR_FILENO;
    const int own = open("/proc/self/fd/2", kFlags);
    return own < 0 ? STDERR_FILENO : own;
}

bool write_all(int fd, std::string_view line) {
    return ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}
bool (*put_line)(int fd, std::string_view line) = write_all;

bool put(std::string_view line) {
    return put_line(output.load(std::memory_order_relaxed), line);
}

void put_or_count(std::string_view line) {
    remember(line);
    if (put(line)) return;
    lost_lines.fetch_add(1);
    count_dropped(&SharedLog::not_taken);
}

bool (*ids_of_running)(TraceIds& ids) = nullptr;
bool as_json = false;
Level least_level = Level::kInfo;

const char* name_of(Level level) {
    switch (level) {
        case Level::kInfo: return "info";
        case Level::kWarning: return "warning";
        case Level::kError: return "error";
    }
    return "";
}

/// Of the UTF-8 character that the text begins with, which is none of ASCII; 0: it is not valid.
size_t character_length(std::string_view text) {
    for (size_t length = 2; length <= 4; ++length)
        if (text.size() >= length && is_utf8(text.substr(0, length))) return length;
    return 0;
}

void append_quoted(std::string& line, std::string_view text) {
    line += '"';
    for (size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x80) {
            const size_t length = character_length(text.substr(at));
            line += length ? text.substr(at, length) : std::string_view("\xEF\xBF\xBD");  // U+FFFD
            at += std::max<size_t>(length, 1);
            continue;
        }
        ++at;
        if (byte == '"' || byte == '\\') {
            line += '\\';
            line += static_cast<char>(byte);
        } else if (byte == '\n') {
            line += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", byte);
            line += escape;
        } else {
            line += static_cast<char>(byte);
        }
    }
    line += '"';
}

/// What precedes the text, the text, and a line feed. `ids`: of the trace; nullptr: none.
std::string line_of(Level level, std::string_view text, const TraceIds* ids = nullptr) {
    timeval now;
    gettimeofday(&now, nullptr);
    tm broken;
    char head[160];
    const int ms = static_cast<int>(now.tv_usec / 1000);
    if (as_json) {
        gmtime_r(&now.tv_sec, &broken);
        char time[32];
        strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &broken);
        snprintf(head, sizeof head, R"({"time":"%s.%03dZ","level":"%s","process":)", time, ms, name_of(level));
        std::string line = head;
        append_quoted(line, speaker);
        line += ",\"pid\":" + std::to_string(getpid()) + ",\"message\":";
        append_quoted(line, text);
        if (ids) {
            const TraceText digits(*ids);
            ((line += ",\"trace_id\":\"") += digits.trace()) += '"';
            ((line += ",\"span_id\":\"") += digits.span()) += '"';
        }
        return line + "}\n";
    }
    localtime_r(&now.tv_sec, &broken);
    size_t head_size = strftime(head, sizeof head, "%Y-%m-%d %H:%M:%S", &broken);
    // The precision keeps a long speaker's name from reaching past the end of `head`.
    head_size += static_cast<size_t>(snprintf(head + head_size, sizeof head - head_size, ".%03d %.64s[%d] %s: ",
                                              ms, speaker.c_str(), static_cast<int>(getpid()),
                                              name_of(level)));
    std::string line(head, head_size);
    // Before the stack of an exception, so that who looks for the trace finds what is said.
    const size_t first = std::min(text.find('\n'), text.size());
    line += text.substr(0, first);
    if (ids) {
        const TraceText digits(*ids);
        ((line += " trace_id=") += digits.trace()) += " span_id=";
        line += digits.span();
    }
    line += text.substr(first);
    return line + '\n';
}

std::mutex repeats_lock;
struct {
    std::string text;
    Level level = Level::kInfo;
    uint64_t since_ms = 0;
    unsigned written = 0;
    uint64_t folded = 0;
} last;

void tell_count() {
    if (last.folded == 0) return;
    const std::string text = "the line before came " + std::to_string(last.folded) + " more times: " + last.text;
    put_or_count(line_of(last.level, text));
    last.folded = 0;
}

/// Whether the text is counted instead of being written.
bool is_repeat(Level level, const std::string& text) {
    const uint64_t now_ms = monotonic_ms();
    if (level != last.level || text != last.text || now_ms - last.since_ms >= kRepeatMs) {
        tell_count();
        last = {text, level, now_ms, 1, 0};
        return false;
    }
    if (last.written < kRepeats) {
        ++last.written;
        return false;
    }
    ++last.folded;
    count_dropped(&SharedLog::repeated);
    return true;
}
}  // namespace

void name_traces_by(bool (*of_running)(TraceIds& ids)) {
    ids_of_running = of_running;
}

void put_lines_by(bool (*put)(int fd, std::string_view line)) {
    put_line = put;
}

void set_speaker(const std::string& name) {
    speaker = name;
    last = {};  // what is counted is the parent's to tell
}

bool open_file(const std::string& path) {
    const int fd = open_output(path);
    if (fd < 0) return false;
    file = path;
    const int old = output.exchange(fd);
    if (old != STDERR_FILENO) close(old);
    return true;
}

bool reopen() {
    if (file.empty()) return true;
    const int fd = open_output(file);
    if (fd < 0) return false;
    // Keeps the descriptor's number, as other threads may be about to write to it.
    const bool replaced = dup3(fd, output.load(), O_CLOEXEC) >= 0;
    close(fd);
    return replaced;
}

void set_format(bool json, Level least) {
    as_json = json;
    least_level = least;
}

void write(Level level, const char* format, ...) {
    if (level < least_level) return;
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int size = vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    std::string text(size < 0 ? 0 : static_cast<size_t>(size), '\0');
    vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    {
        // A fork may have got the lock as another thread had it.
        const std::unique_lock lock(repeats_lock, std::try_to_lock);
        if (lock && is_repeat(level, text)) return;
    }
    if (const uint32_t lost = lost_lines.load(std::memory_order_relaxed)) {
        if (put(line_of(level, std::to_string(lost) + " lines of this process are lost: nobody takes the log")))
            lost_lines.fetch_sub(lost);
    }
    TraceIds ids;
    const bool has_trace = ids_of_running && ids_of_running(ids);
    put_or_count(line_of(level, text, has_trace ? &ids : nullptr));
}

}  // namespace sluice::log
