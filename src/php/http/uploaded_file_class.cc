#include "php/http/uploaded_file_class.h"

#include <cerrno>
#include <cstring>
#include <main/php_open_temporary_file.h>
#include <unistd.h>

#include "php/http/body_stream.h"
#include "php/http/string_stream.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "server/config/config.h"

namespace sluice::php {

namespace {

zend_class_entry* uploaded_file_class;
zend_object_handlers handlers;

/// In the order of the declaration.
enum Place { kClientName, kClientType, kSize };

struct UploadedFileObject {
    zend_string* body;   ///< nullptr: `source` is set
    BodySource* source;  ///< in a file
    uint64_t begin;
    size_t size;
    zend_string* path;  ///< of the file that path() has made, by this process; it goes with this
    pid_t path_owner;
    zend_object object;

    std::string_view bytes() const { return view(body).substr(begin, size); }
};

void free_uploaded_file(zend_object* object) {
    UploadedFileObject* self = embedded<UploadedFileObject>(object);
    if (self->body) zend_string_release(self->body);
    if (self->source) release(self->source);
    if (self->path) {
        if (self->path_owner == getpid()) unlink(ZSTR_VAL(self->path));
        zend_string_release(self->path);
    }
    zend_object_std_dtor(object);
}

zend_object* create_uploaded_file(zend_class_entry* class_entry) {
    return &new_embedded<UploadedFileObject>(class_entry, handlers)->object;
}

/// Writes to a plain file by the kernel, to other streams piece by piece.
bool write_from_file(const UploadedFileObject& self, php_stream* target) {
    int fd = -1;
    if (php_stream_is(target, PHP_STREAM_IS_STDIO) && !php_stream_is_filtered(target) &&
        php_stream_cast(target, PHP_STREAM_AS_FD, reinterpret_cast<void**>(&fd), 0) == SUCCESS) {
        return copy_file_part(self.source, self.begin, self.size, fd);
    }
    php_stream* from = open_file_part_stream(self.source, self.begin, self.size);
    size_t copied = 0;
    const bool fine = php_stream_copy_to_stream_ex(from, target, PHP_STREAM_COPY_ALL, &copied) == SUCCESS;
    php_stream_close(from);
    return fine && copied == self.size;
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

/// Writes the bytes to a new temporary file; nullptr when it has thrown.
zend_string* write_temporary_file(const UploadedFileObject& self) {
    const Worker* worker = current_worker();
    zend_string* path = nullptr;
    const int fd = php_open_temporary_fd(worker ? worker->config->temporary_folder.c_str() : nullptr,
                                         "sluice-upload-", &path);
    if (fd < 0) {
        throw_server_exception("No temporary file could be made for the upload: %s", strerror(errno));
        return nullptr;
    }
    errno = 0;
    const bool written =
        self.source ? copy_file_part(self.source, self.begin, self.size, fd) : write_all(fd, self.bytes());
    const int error = errno;
    close(fd);
    if (written) return path;
    unlink(ZSTR_VAL(path));
    if (!EG(exception))
        throw_server_exception("The upload could not be written to \"%s\": %s", ZSTR_VAL(path),
                               strerror(error));
    zend_string_release(path);
    return nullptr;
}

}  // namespace

void init_uploaded_file_class(zend_class_entry* class_entry) {
    uploaded_file_class = class_entry;
    class_entry->create_object = create_uploaded_file;
    init_handlers<UploadedFileObject>(handlers, free_uploaded_file);
}

zend_object* new_uploaded_file(const http::FormField& file, zend_string* body, BodySource* source) {
    UploadedFileObject* self = new_embedded<UploadedFileObject>(uploaded_file_class, handlers);
    if (source) {
        self->source = share(source);
    } else {
        self->body = zend_string_copy(body);
    }
    self->begin = file.begin;
    self->size = file.size;
    init_property(&self->object, kClientName, new_string(file.file_name));
    init_property(&self->object, kClientType, new_string(file.type));
    init_property(&self->object, kSize, static_cast<zend_long>(file.size));
    return &self->object;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Http_UploadedFile, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Http_UploadedFile, contents) {
    ZEND_PARSE_PARAMETERS_NONE();
    const UploadedFileObject* self = embedded<UploadedFileObject>(ZEND_THIS);
    if (!self->source) RETURN_VIEW(self->bytes());
    zend_string* bytes = body_part(self->source, self->begin, self->size);
    if (!bytes) RETURN_THROWS();
    RETURN_STR(bytes);
}

ZEND_METHOD(Sluice_Http_UploadedFile, stream) {
    ZEND_PARSE_PARAMETERS_NONE();
    const UploadedFileObject* self = embedded<UploadedFileObject>(ZEND_THIS);
    php_stream* stream = self->source ? open_file_part_stream(self->source, self->begin, self->size)
                                      : open_string_stream(self->body, self->begin, self->size);
    php_stream_to_zval(stream, return_value);
}

ZEND_METHOD(Sluice_Http_UploadedFile, path) {
    ZEND_PARSE_PARAMETERS_NONE();
    UploadedFileObject* self = embedded<UploadedFileObject>(ZEND_THIS);
    if (!self->path) {
        zend_string* path = write_temporary_file(*self);
        if (!path) RETURN_THROWS();
        if (self->path) {  // another coroutine was quicker
            unlink(ZSTR_VAL(path));
            zend_string_release(path);
        } else {
            self->path = path;
            self->path_owner = getpid();
        }
    }
    RETURN_STR_COPY(self->path);
}

ZEND_METHOD(Sluice_Http_UploadedFile, moveTo) {
    zend_string* path;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_PATH_STR(path)
    ZEND_PARSE_PARAMETERS_END();

    const UploadedFileObject* self = embedded<UploadedFileObject>(ZEND_THIS);
    php_stream* file = php_stream_open_wrapper(ZSTR_VAL(path), "wb", 0, nullptr);
    if (EG(exception)) {
        if (file) php_stream_close(file);
        RETURN_THROWS();
    }
    bool written = false;
    if (file) {
        if (self->source) {
            written = write_from_file(*self, file);
        } else {
            const std::string_view bytes = self->bytes();
            written =
                php_stream_write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
        }
        written = php_stream_flush(file) == 0 && written;
        written = php_stream_close(file) == 0 && written;
    }
    if (!written && !EG(exception))
        throw_server_exception("The uploaded file could not be written to \"%s\"", ZSTR_VAL(path));
}
