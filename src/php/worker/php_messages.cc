#include "php/worker/php_messages.h"

#include <SAPI.h>
#include <syslog.h>

#include "core/log.h"
#include "php/worker/handler_calls.h"

namespace sluice::php {

namespace {

decltype(sapi_module.log_message) write_message = nullptr;

log::Level level_of(int severity) {
    if (severity <= LOG_ERR) return log::Level::kError;
    return severity == LOG_WARNING ? log::Level::kWarning : log::Level::kInfo;
}

void log_message(const char* message, int severity) {
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
