#include "core/log.h"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

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

const char* name_of(Level level) {
    switch (level) {
        case Level::kInfo: return "info";
        case Level::kWarning: return "warning";
        case Level::kError: return "error";
    }
    return "";
}
}  // namespace

void put_lines_by(bool (*put)(int fd, std::string_view line)) {
    put_line = put;
}

void set_speaker(const std::string& name) {
    speaker = name;
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

void write(Level level, const char* format, ...) {
    timeval now;
    gettimeofday(&now, nullptr);
    tm local;
    localtime_r(&now.tv_sec, &local);
    char head[128];
    size_t head_size = strftime(head, sizeof head, "%Y-%m-%d %H:%M:%S", &local);
    // The precision keeps a long speaker's name from reaching past the end of `head`.
    head_size += static_cast<size_t>(snprintf(head + head_size, sizeof head - head_size,
                                              ".%03d %.64s[%d] %s: ", static_cast<int>(now.tv_usec / 1000),
                                              speaker.c_str(), static_cast<int>(getpid()), name_of(level)));
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    size_t text_size = size < 0 ? 0 : static_cast<size_t>(size);
    std::vector<char> line(head_size + text_size + 1);
    std::copy(head, head + head_size, line.begin());
    vsnprintf(line.data() + head_size, line.size() - head_size, format, again);
    va_end(again);
    line.back() = '\n';
    if (const uint32_t lost = lost_lines.load(std::memory_order_relaxed)) {
        const std::string notice = std::string(head, head_size) + std::to_string(lost) +
                                   " lines of this process are lost: nobody takes the log\n";
        if (put(notice)) lost_lines.fetch_sub(lost);
    }
    if (!put({line.data(), line.size()})) lost_lines.fetch_add(1);
}

}  // namespace sluice::log
