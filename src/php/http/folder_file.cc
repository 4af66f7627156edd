#include "php/http/folder_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/open_beneath.h"
#include "php/http/response_class.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/zend/objects.h"

namespace sluice::php {

Found open_in(int folder, const char* path, FileToSend& file, const char*& error) {
    const int fd = open_beneath(folder, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
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
