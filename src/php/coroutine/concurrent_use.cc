#include "php/coroutine/concurrent_use.h"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>

#include "php/zend/backtraces.h"

namespace sluice::php {

zend_class_entry* concurrent_use_exception_class = nullptr;

namespace {

constexpr size_t kLongestSentence = 2048;

/// Functions that several coroutines may wait in: they only learn that a stream is ready, or each gets a
/// connection of its own.
constexpr std::string_view kSharing[] = {"stream_select", "socket_select",     "stream_socket_accept",
                                         "socket_accept", "curl_multi_select", "forStream"};

bool shares(const zend_execute_data* call) {
    while (call && !(call->func && call->func->common.function_name))
        call = call->prev_execute_data;
    if (!call || call->func->type != ZEND_INTERNAL_FUNCTION) return false;
    for (std::string_view name : kSharing)
        if (view(call->func->common.function_name) == name) return true;
    return false;
}

/// Whether the descriptor is a stream of bytes. Of datagrams and connections each caller gets a whole one.
bool is_byte_stream(int fd) {
    struct stat about;
    if (fstat(fd, &about) != 0) return false;
    if (!S_ISSOCK(about.st_mode)) return S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode);
    int type = 0, listens = 0;
    socklen_t size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM) return false;
    size = sizeof listens;
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && !listens;
}

/// Holds C++ objects, so nothing here may call into PHP.
void write_sentence(const zend_execute_data* in_use, const zend_execute_data* refused, char* text,
                    size_t size) {
    snprintf(
        text, size,
        "%s waits in this connection, and %s was to use it meanwhile: give each coroutine a connection of "
        "its own, as Sluice\\Pool does",
        place_of(in_use).c_str(), place_of(refused).c_str());
}

}  // namespace

void throw_concurrent_use(const zend_execute_data* in_use, const zend_execute_data* refused) {
    char text[kLongestSentence];
    write_sentence(in_use, refused, text, sizeof text);
    zend_throw_exception(concurrent_use_exception_class, text, 0);
}

bool is_used_by_another(Coroutine& self, int fd, short events) {
    const Coroutine* other = scheduler()->waits_for(fd, static_cast<uint32_t>(events), self);
    if (EXPECTED(!other) || !is_byte_stream(fd)) return false;
    const zend_execute_data* in_use = other->frame;
    const zend_execute_data* refused = EG(current_execute_data);
    if (shares(in_use) || shares(refused)) return false;
    throw_concurrent_use(in_use, refused);
    self.thrown = EG(exception);
    errno = EBUSY;
    return true;
}

}  // namespace sluice::php
