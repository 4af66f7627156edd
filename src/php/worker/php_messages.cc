#include "php/worker/php_messages.h"

#include <SAPI.h>
#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <syslog.h>

#include "core/clock.h"
#include "core/log.h"
#include "php/worker/handler_calls.h"

namespace sluice::php {

namespace {

decltype(sapi_module.log_message) write_message = nullptr;

log::Level level_of(int severity) {
    if (severity <= LOG_ERR) return log::Level::kError;
    return severity == LOG_WARNING ? log::Level::kWarning : log::Level::kInfo;
}

/// As often as this within a second a message of PHP's is logged; a loop that only warns would fill the disk.
constexpr unsigned kMostInSecond = 100;

/// How often each message has come in this second. Two messages may share a place: then they take turns in
/// it, and more of them is logged.
struct Frequency {
    size_t hash;
    uint64_t second;
    unsigned times;
};
Frequency frequencies[16];

/// False when the message has come too often. What a script says by error_log() is always logged; PHP's own
/// messages begin with a word that error_log() does not add.
bool may_be_logged(std::string_view message) {
    if (!message.starts_with("PHP ")) return true;
    const size_t hash = std::hash<std::string_view>()(message);
    const uint64_t second = monotonic_ms() / 1000;
    Frequency& of = frequencies[hash % std::size(frequencies)];
    if (of.hash != hash || of.second != second) of = {hash, second, 0};
    if (++of.times == kMostInSecond + 1)
        log::write(log::Level::kWarning,
                   "this message came %u times within a second, and is left out for the rest of it: %.*s",
                   kMostInSecond, static_cast<int>(std::min<size_t>(message.size(), 1000)), message.data());
    return of.times <= kMostInSecond;
}

void log_message(const char* message, int severity) {
    if (UNEXPECTED(!may_be_logged(message))) return;
    const Occasion* const occasion = current_occasion();
    if (occasion) {
        log::write(level_of(severity), "In %s: %s", occasion->name().text(), message);
    } else {
        log::write(level_of(severity), "%s", message);
    }
}

}  // namespace

void log_php_messages() {
    if (write_message) return;
    write_message = sapi_module.log_message;
    sapi_module.log_message = log_message;
}

void release_php_messages() {
    if (write_message) sapi_module.log_message = write_message;
}

}  // namespace sluice::php
