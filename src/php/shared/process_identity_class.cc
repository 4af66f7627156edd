#include "php/shared/process_identity_class.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include "core/own_process.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

struct Process {
    bool is_there = false;
    bool is_known = false;  ///< `start` is
    uint64_t start = 0;     ///< in the kernel's ticks since it booted
};

/// Reads /proc/PID/stat: after the command's name in parentheses the state is the first word, the start the
/// 20th.
Process look_up(pid_t pid) {
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    // Without /proc the process counts as alive: rather keep a lock than give it to two.
    if (fd < 0) return {errno != ENOENT, false, 0};
    const ssize_t bytes = read(fd, text, sizeof text);
    const int error = errno;
    close(fd);
    if (bytes <= 0) return {bytes < 0 && error != ESRCH, false, 0};
    const std::string_view all(text, static_cast<size_t>(bytes));
    size_t at = all.rfind(") ");
    if (at == std::string_view::npos) return {true, false, 0};
    at += 2;
    const char state = all[at];
    for (int word = 0; word < 19 && at != std::string_view::npos; ++word)
        at = all.find(' ', at + 1);
    Process process{state != 'Z' && state != 'X', false, 0};
    if (at == std::string_view::npos) return process;
    process.is_known =
        std::from_chars(all.data() + at + 1, all.data() + all.size(), process.start).ec == std::errc();
    return process;
}

/// Of a process as it is named by own(), if it is still there; 0: not.
pid_t living(zend_string* identity) {
    const char* const end = ZSTR_VAL(identity) + ZSTR_LEN(identity);
    pid_t pid = 0;
    uint64_t start = 0;
    const auto number = std::from_chars(ZSTR_VAL(identity), end, pid);
    if (number.ec != std::errc() || number.ptr == end || pid <= 0 ||
        std::from_chars(number.ptr + 1, end, start).ec != std::errc())
        return 0;
    const Process process = look_up(pid);
    return process.is_there && (!process.is_known || start == 0 || process.start == start) ? pid : 0;
}

}  // namespace

void init_process_identity_class(zend_class_entry* class_entry) {
    static zend_object_handlers handlers;
    struct ProcessIdentityObject {
        zend_object object;
    };
    init_handlers<ProcessIdentityObject>(handlers, zend_object_std_dtor);
    class_entry->create_object = [](zend_class_entry* entry) {
        return &new_embedded<ProcessIdentityObject>(entry, handlers)->object;
    };
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Internal_ProcessIdentity, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Internal_ProcessIdentity, own) {
    ZEND_PARSE_PARAMETERS_NONE();
    static pid_t pid = 0;
    static uint64_t start;
    if (pid != sluice::OwnProcess::number()) {
        pid = sluice::OwnProcess::number();
        start = look_up(pid).start;
    }
    RETURN_STR(strpprintf(0, "%d.%" PRIu64, pid, start));
}

ZEND_METHOD(Sluice_Internal_ProcessIdentity, number) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(sluice::OwnProcess::number());
}

ZEND_METHOD(Sluice_Internal_ProcessIdentity, isAlive) {
    zend_string* identity;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(identity)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(living(identity) > 0);
}

ZEND_METHOD(Sluice_Internal_ProcessIdentity, kill) {
    zend_string* identity;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(identity)
    ZEND_PARSE_PARAMETERS_END();
    const pid_t pid = living(identity);
    RETURN_BOOL(pid > 1 && kill(pid, SIGKILL) == 0);
}
