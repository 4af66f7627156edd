#include "php/http/files_class.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

#include "io/open_beneath.h"
#include "php/http/folder_file.h"
#include "php/http/request_class.h"
#include "php/http/response_class.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/http/send_file.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/accept_encoding.h"
#include "protocol/http/content_disposition.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/static_path.h"

namespace sluice::php {

namespace {

zend_object_handlers handlers;

/// Longer paths name no file: PATH_MAX of Linux.
constexpr size_t kLongestPath = 4096;

struct FilesObject {
    ServedFolder folder;
    bool precompressed;
    zend_string* prefix;
    zend_string* cache_control;
    zend_array* index;
    zend_object object;
};

void free_files(zend_object* object) {
    FilesObject* self = embedded<FilesObject>(object);
    close_folder(self->folder);
    for (zend_string* text : {self->prefix, self->cache_control})
        if (text) zend_string_release(text);
    if (self->index) zend_array_release(self->index);
    zend_object_std_dtor(object);
}

zend_object* create_files(zend_class_entry* class_entry) {
    FilesObject* self = new_embedded<FilesObject>(class_entry, handlers);
    self->folder.fd = -1;
    return &self->object;
}

bool check_prefix(std::string_view prefix) {
    if (prefix.starts_with('/') && prefix.ends_with('/') && prefix.find_first_of("?#% ") == prefix.npos)
        return true;
    zend_argument_value_error(
        2, "must begin and end with \"/\" and hold no blanks, \"?\", \"#\" and \"%%\", \"%.200s\" given",
        prefix.data());
    return false;
}

/// A path that something is appended to; plain memory, for PHP may jump past it.
struct Path {
    char text[kLongestPath + kLongestFileName + 8];
    size_t size;

    const char* with(std::string_view suffix) {
        memcpy(text + size, suffix.data(), suffix.size());
        text[size + suffix.size()] = '\0';
        return text;
    }
};

/// Takes the compressed file in place of the plain one, where there is one that the client prefers.
http::Coding choose_precompressed(const FilesObject* self, const ResponseObject* response, Path& path,
                                  FileToSend& file) {
    using http::Coding;
    const http::AcceptedCodings accepted =
        http::AcceptedCodings::of(response->head->fields(), response->head->text());
    Coding offered[] = {Coding::kBrotli, Coding::kZstd, Coding::kGzip};
    size_t count = std::size(offered);
    while (count) {
        const Coding best = accepted.best_of({offered, count});
        if (best == Coding::kIdentity) break;
        FileToSend compressed;
        const char* error;
        const char* name = path.with(best == Coding::kBrotli ? ".br"
                                     : best == Coding::kZstd ? ".zst"
                                                             : ".gz");
        if (open_in(self->folder, name, compressed, error) == Found::kFile) {
            close(file.fd);
            file = compressed;
            return best;
        }
        count = static_cast<size_t>(std::remove(offered, offered + count, best) - offered);
    }
    return Coding::kIdentity;
}

/// False when there is no such file: nothing was sent then, or it has thrown.
bool send_from(FilesObject* self, const SharedHead& head, ResponseObject* response) {
    Path path;
    const std::string_view asked = head.in(head.head.path);
    if (asked.size() > kLongestPath) return false;
    const auto relative = http::static_path(asked, view(self->prefix), path.text);
    if (!relative) return false;
    path.size = relative->size();
    std::string_view name = *relative;

    FileToSend file;
    const char* error = nullptr;
    Found found = Found::kFolder;
    const bool names_folder = name.empty() || name.ends_with('/');
    if (!names_folder) found = open_in(self->folder, path.with(""), file, error);
    if (found == Found::kFolder && !names_folder) {
        redirect_to_folder(response, head);
        return true;
    }
    if (found == Found::kFolder) {
        found = Found::kNothing;
        zval* index;
        ZEND_HASH_FOREACH_VAL(self->index, index) {
            name = view(Z_STR_P(index));
            found = open_in(self->folder, path.with(name), file, error);
            if (found == Found::kFile || found == Found::kError) {
                path.size += name.size();
                break;
            }
            found = Found::kNothing;
        }
        ZEND_HASH_FOREACH_END();
    }
    if (found == Found::kError) {
        throw_server_exception("The file \"%s\" of \"%s\" cannot be sent: %s", path.text,
                               ZSTR_VAL(self->folder.path), error);
        return false;
    }
    if (found != Found::kFile) return false;
    if (self->precompressed) {
        add_vary(response);
        const http::Coding coding = choose_precompressed(self, response, path, file);
        if (coding != http::Coding::kIdentity) {
            remove_field(response, "content-encoding");
            append_field(response, "Content-Encoding", http::coding_name(coding));
        }
    }
    if (self->cache_control) {
        remove_field(response, "cache-control");
        append_field(response, "Cache-Control", view(self->cache_control));
    }
    send_file(response, file, name);
    return true;
}

FilesObject* constructed(zval* object) {
    FilesObject* self = embedded<FilesObject>(object);
    if (self->folder.fd >= 0) return self;
    zend_throw_error(nullptr, "Sluice\\Http\\Files is not constructed");
    return nullptr;
}

/// What handle() and send() are asked to do.
struct Exchange {
    FilesObject* self;
    const SharedHead* head;
    ResponseObject* response;  ///< nullptr when it has thrown
};

Exchange parse_exchange(zend_execute_data* execute_data) {
    zend_object *request, *object;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_OBJ_OF_CLASS(request, request_class)
    Z_PARAM_OBJ_OF_CLASS(object, response_class)
    ZEND_PARSE_PARAMETERS_END_EX(return {});
    FilesObject* self = constructed(ZEND_THIS);
    return {self, head_of_request(request), self ? before_head(object) : nullptr};
}

}  // namespace

void init_files_class(zend_class_entry* class_entry) {
    class_entry->create_object = create_files;
    init_handlers<FilesObject>(handlers, free_files);
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_Files, __construct) {
    zend_string *folder, *prefix = nullptr, *cache_control = nullptr;
    zend_array *index = nullptr, *links_to = nullptr;
    bool precompressed = false;
    ZEND_PARSE_PARAMETERS_START(1, 6)
    Z_PARAM_PATH_STR(folder)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(prefix)
    Z_PARAM_ARRAY_HT(index)
    Z_PARAM_STR_OR_NULL(cache_control)
    Z_PARAM_BOOL(precompressed)
    Z_PARAM_ARRAY_HT(links_to)
    ZEND_PARSE_PARAMETERS_END();

    FilesObject* self = embedded<FilesObject>(ZEND_THIS);
    if (self->folder.fd >= 0) {
        zend_throw_error(nullptr, "Sluice\\Http\\Files is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if ((prefix && !check_prefix(view(prefix))) || (index && !check_index(index, 3))) RETURN_THROWS();
    if (cache_control && (ZSTR_LEN(cache_control) == 0 || !http::is_field_value(view(cache_control)))) {
        zend_argument_value_error(4, "must not be empty or hold CR, LF, NUL or another control character");
        RETURN_THROWS();
    }
    if (!open_folder(self->folder, folder, links_to, 6)) RETURN_THROWS();
    self->precompressed = precompressed;
    self->prefix = prefix ? zend_string_copy(prefix) : ZSTR_CHAR('/');
    self->cache_control = cache_control ? zend_string_copy(cache_control) : nullptr;
    if (index) {
        self->index = zend_array_dup(index);
    } else {
        self->index = zend_new_array(1);
        zval name;
        ZVAL_STRING(&name, "index.html");
        zend_hash_next_index_insert(self->index, &name);
    }
}

ZEND_METHOD(Sluice_Http_Files, handle) {
    const Exchange exchange = parse_exchange(execute_data);
    if (!exchange.response) RETURN_THROWS();
    const auto& [self, head, response] = exchange;
    if (is_read(*head) && (send_from(self, *head, response) || EG(exception))) return;
    answer_nothing(response, *head);
}

ZEND_METHOD(Sluice_Http_Files, send) {
    const Exchange exchange = parse_exchange(execute_data);
    if (!exchange.response) RETURN_THROWS();
    const auto& [self, head, response] = exchange;
    RETURN_BOOL(is_read(*head) && send_from(self, *head, response));
}
