#include "php/http/uploaded_file_class.h"

#include "php/http/body_stream.h"
#include "php/http/string_stream.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

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
    zend_object object;

    std::string_view bytes() const { return view(body).substr(begin, size); }
};

void free_uploaded_file(zend_object* object) {
    UploadedFileObject* self = embedded<UploadedFileObject>(object);
    if (self->body) zend_string_release(self->body);
    if (self->source) release(self->source);
    zend_object_std_dtor(object);
}

zend_object* create_uploaded_file(zend_class_entry* class_entry) {
    return &new_embedded<UploadedFileObject>(class_entry, handlers)->object;
}

/// To a file of the file system by the kernel, to anything else piece by piece.
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
