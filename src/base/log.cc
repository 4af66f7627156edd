#include "base/log.h"

#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace sluice::log {

namespace {
std::string speaker = "script";
int output = STDERR_FILENO;

const char* name_of(Level level) {
    switch (level) {
        case Level::kInfo: return "info";
        case Level::kWarning: return "warning";
        case Level::kError: return "error";
    }
    return "";
}
}  // namespace

void set_speaker(const std::string& name) {
    speaker = name;
}

bool open_file(const std::string& path) {
    int fd = STDERR_FILENO;
    if (!path.empty()) fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    if (output != STDERR_FILENO) close(output);
    output = fd;
    return true;
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
    [[maybe_unused]] ssize_t written = ::write(output, line.data(), line.size());
}

}  // namespace sluice::log
