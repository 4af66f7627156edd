#include "php/http/folder_file.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/open_beneath.h"
#include "php/http/response_class.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/content_disposition.h"

namespace sluice::php {

namespace {

/// The folder, and its path without symbolic links; -1 when it has thrown.
int open_one(zend_string* folder, char* path) {
    if (php_check_open_basedir(ZSTR_VAL(folder))) {
        if (!EG(exception))
            throw_server_exception("The folder \"%s\" is outside of open_basedir", ZSTR_VAL(folder));
        return -1;
    }
    int fd = realpath(ZSTR_VAL(folder), path) ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0 && access(path, R_OK | X_OK) != 0) {
        const int error = errno;
        close(fd);
        fd = -1;
        errno = error;
    }
    if (fd < 0)
        throw_server_exception("The folder \"%s\" cannot be read: %s", ZSTR_VAL(folder), strerror(errno));
    return fd;
}

constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

/// Opens what a link leads to beyond the folder, when that lies in one that links may lead to. Whatever is moved between both steps: what is
/// opened lies in there.
int open_beyond(const ServedFolder& folder, const char* path) {
    char target[PATH_MAX];
    const std::string whole = std::string(ZSTR_VAL(folder.path)) + "/" + path;
    if (!realpath(whole.c_str(), target)) return -1;
    zend_string* allowed;
    zval* fd;
    ZEND_HASH_FOREACH_STR_KEY_VAL(folder.links_to, allowed, fd) {
        const size_t size = ZSTR_LEN(allowed);
        if (strncmp(target, ZSTR_VAL(allowed), size) != 0) continue;
        if (target[size] == '\0') return open_beneath(static_cast<int>(Z_LVAL_P(fd)), "", kOpenFlags);
        if (target[size] == '/') return open_beneath(static_cast<int>(Z_LVAL_P(fd)), target + size + 1, kOpenFlags);
    }
    ZEND_HASH_FOREACH_END();
    errno = EXDEV;
    return -1;
}

}  // namespace

bool open_folder(ServedFolder& folder, zend_string* path, zend_array* links_to, uint32_t argument) {
    char real[PATH_MAX];
    folder.fd = open_one(path, real);
    if (folder.fd < 0) return false;
    folder.path = zend_string_init(real, strlen(real), false);
    if (!links_to || zend_hash_num_elements(links_to) == 0) return true;
    folder.links_to = zend_new_array(zend_hash_num_elements(links_to));
    zval* target;
    ZEND_HASH_FOREACH_VAL(links_to, target) {
        if (Z_TYPE_P(target) != IS_STRING || Z_STRLEN_P(target) == 0 || strlen(Z_STRVAL_P(target)) != Z_STRLEN_P(target)) {
            zend_argument_value_error(argument, "must be a list of paths of folders");
            close_folder(folder);
            return false;
        }
        zval fd;
        ZVAL_LONG(&fd, open_one(Z_STR_P(target), real));
        if (Z_LVAL(fd) < 0) {
            close_folder(folder);
            return false;
        }
        if (!zend_hash_str_add(folder.links_to, real, strlen(real), &fd)) close(static_cast<int>(Z_LVAL(fd)));
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

void close_folder(ServedFolder& folder) {
    if (folder.fd >= 0) close(folder.fd);
    folder.fd = -1;
    if (folder.path) zend_string_release(folder.path);
    folder.path = nullptr;
    if (!folder.links_to) return;
    zval* fd;
    ZEND_HASH_FOREACH_VAL(folder.links_to, fd) { close(static_cast<int>(Z_LVAL_P(fd))); }
    ZEND_HASH_FOREACH_END();
    zend_array_release(folder.links_to);
    folder.links_to = nullptr;
}

bool check_index(zend_array* index, uint32_t argument) {
    zval* name;
    ZEND_HASH_FOREACH_VAL(index, name) {
        const bool fits = Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) <= kLongestFileName &&
                          http::is_file_name(view(Z_STR_P(name)));
        if (fits) continue;
        zend_argument_value_error(argument, "must be a list of file names without slashes");
        return false;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

Found open_in(const ServedFolder& folder, const char* path, FileToSend& file, const char*& error) {
    int fd = open_beneath(folder.fd, path, kOpenFlags);
    // ELOOP: the kernel lacks openat2(2), so that no link was followed.
    if (fd < 0 && folder.links_to && (errno == EXDEV || errno == ELOOP)) fd = open_beyond(folder, path);
    if (fd < 0) {
        switch (errno) {
            case EMFILE:
            case ENFILE:
            case ENOMEM:
            case EIO: error = strerror(errno); return Found::kError;
            default: return Found::kNothing;
        }
    }
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        file = file_to_send(fd, status);
        return Found::kFile;
    }
    close(fd);
    return S_ISDIR(status.st_mode) ? Found::kFolder : Found::kNothing;
}

void redirect_to_folder(ResponseObject* response, const SharedHead& head) {
    const std::string_view asked = head.in(head.head.path);
    smart_str location = {};
    smart_str_appendl(&location, asked.data(), asked.size());
    smart_str_appendc(&location, '/');
    if (!head.head.query.empty()) {
        const std::string_view query = head.in(head.head.query);
        smart_str_appendc(&location, '?');
        smart_str_appendl(&location, query.data(), query.size());
    }
    remove_field(response, "location");
    append_field(response, "Location", view(location.s));
    smart_str_free(&location);
    finish_without_body(response, 301);
}

bool is_read(const SharedHead& head) {
    return head.head.method == http::Method::kGet || head.head.method == http::Method::kHead;
}

void answer_nothing(ResponseObject* response, const SharedHead& head) {
    response->status = is_read(head) ? 404 : 405;
    if (response->status == 405) append_field(response, "Allow", "GET, HEAD");
    zval delivery;
    ZVAL_UNDEF(&delivery);
    const http::ErrorPage page = error_page_of(response, response->status, {});
    smart_str_appendl(&response->fields, page.fields.data(), page.fields.size());
    finish(&delivery, response, page.body, nullptr);
    zval_ptr_dtor(&delivery);
}

}  // namespace sluice::php
