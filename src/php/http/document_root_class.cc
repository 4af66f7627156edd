#include "php/http/document_root_class.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "php/http/folder_file.h"
#include "php/http/request_class.h"
#include "php/http/request_object.h"
#include "php/http/response_class.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/http/script_request.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/content_disposition.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/mime_types.h"
#include "protocol/http/source_names.h"
#include "protocol/http/static_path.h"

namespace sluice::php {

namespace {

zend_class_entry* document_root_class = nullptr;
zend_object_handlers handlers;

/// Longer paths name no file: PATH_MAX of Linux.
constexpr size_t kLongestPath = 4096;
/// So much of a file without a known type is looked at.
constexpr size_t kBeginningBytes = 256;

struct DocumentRootObject {
    ServedFolder folder;
    zend_string* front;          ///< a script's path in the folder; nullptr: none
    zend_string* cache_control;  ///< of files
    zend_array* index;
    zend_object object;
};

void free_document_root(zend_object* object) {
    DocumentRootObject* self = embedded<DocumentRootObject>(object);
    close_folder(self->folder);
    for (zend_string* text : {self->front, self->cache_control})
        if (text) zend_string_release(text);
    if (self->index) zend_array_release(self->index);
    zend_object_std_dtor(object);
}

zend_object* create_document_root(zend_class_entry* class_entry) {
    DocumentRootObject* self = new_embedded<DocumentRootObject>(class_entry, handlers);
    self->folder.fd = -1;
    return &self->object;
}

/// What a request's path names.
struct Target {
    enum class Kind : uint8_t { kNothing, kFile, kFolderWithoutSlash, kScript, kError };
    Kind kind = Kind::kNothing;
    FileToSend file = {};
    const char* error = nullptr;
    char path[kLongestPath + kLongestFileName + 8];  ///< in the folder, decoded
    size_t path_bytes = 0;
    char path_info[kLongestPath];  ///< decoded
    size_t path_info_bytes = 0;

    std::string_view name() const {
        const std::string_view whole(path, path_bytes);
        return whole.substr(whole.rfind('/') + 1);
    }
};

/// Whether a file may be sent by what is in it: one of a known type may. Closes one that may not.
bool may_be_sent(Target& target) {
    if (http::source_kind(target.name()) == http::SourceKind::kNone) {
        if (http::mime_type(target.name()) != "application/octet-stream") return true;
        char beginning[kBeginningBytes];
        const ssize_t got = pread(target.file.fd, beginning, sizeof beginning, 0);
        if (got >= 0 && !http::begins_as_source({beginning, static_cast<size_t>(got)})) return true;
    }
    close(target.file.fd);
    return false;
}

/// The file that stands at target.path: a script, or one to send.
void take_file(Target& target) {
    if (http::source_kind(target.name()) == http::SourceKind::kScript) {
        close(target.file.fd);
        target.kind = Target::Kind::kScript;
    } else {
        target.kind = may_be_sent(target) ? Target::Kind::kFile : Target::Kind::kNothing;
    }
}

Found look(const DocumentRootObject* self, Target& target) {
    target.path[target.path_bytes] = '\0';
    const Found found = open_in(self->folder, target.path, target.file, target.error);
    if (found == Found::kError) target.kind = Target::Kind::kError;
    return found;
}

/// The path without doubled slashes, as web servers take it; its size.
size_t merge_slashes(std::string_view asked, char* to) {
    char* at = to;
    for (const char c : asked)
        if (c != '/' || at == to || at[-1] != '/') *at++ = c;
    return static_cast<size_t>(at - to);
}

/// Decodes what stands behind a script's name; false when no script may see it.
bool take_path_info(std::string_view encoded, Target& target) {
    target.path_info_bytes = http::percent_decode(encoded, http::Plus::kLiteral, target.path_info);
    return std::string_view(target.path_info, target.path_info_bytes).find('\0') == std::string_view::npos;
}

/// A script that the path goes through: the first of its segments that is one. True when that settles it.
bool find_script(const DocumentRootObject* self, std::string_view asked, Target& target) {
    for (size_t end = 1; end <= asked.size(); ++end) {
        if (end < asked.size() && asked[end] != '/') continue;
        const auto decoded = http::static_path(asked.substr(0, end), "/", target.path);
        // What follows cannot name anything either.
        if (!decoded) return true;
        target.path_bytes = decoded->size();
        if (http::source_kind(target.name()) == http::SourceKind::kNone) continue;
        const Found found = look(self, target);
        if (found == Found::kFile) {
            take_file(target);
            if (target.kind == Target::Kind::kScript && !take_path_info(asked.substr(end), target))
                target.kind = Target::Kind::kNothing;
        }
        if (found != Found::kFolder) return found != Found::kNothing;
    }
    return false;
}

void find_index(const DocumentRootObject* self, Target& target) {
    const size_t folder_bytes = target.path_bytes;
    zval* name;
    ZEND_HASH_FOREACH_VAL(self->index, name) {
        memcpy(target.path + folder_bytes, Z_STRVAL_P(name), Z_STRLEN_P(name));
        target.path_bytes = folder_bytes + Z_STRLEN_P(name);
        const Found found = look(self, target);
        if (found == Found::kFile) take_file(target);
        if (found == Found::kFile || found == Found::kError) return;
    }
    ZEND_HASH_FOREACH_END();
}

/// True when the path may not be asked for at all, so that no front controller sees it.
bool find(const DocumentRootObject* self, std::string_view asked, Target& target) {
    char encoded[kLongestPath];
    if (asked.size() > sizeof encoded || !asked.starts_with('/')) return true;
    const std::string_view path(encoded, merge_slashes(asked, encoded));
    if (find_script(self, path, target)) return target.kind == Target::Kind::kNothing;
    const auto decoded = http::static_path(path, "/", target.path);
    if (!decoded) return true;
    target.path_bytes = decoded->size();
    if (target.path_bytes == 0 || target.path[target.path_bytes - 1] == '/') {
        target.path[target.path_bytes] = '\0';
        find_index(self, target);
        return false;
    }
    const Found found = look(self, target);
    if (found == Found::kFile) take_file(target);
    if (found == Found::kFolder) target.kind = Target::Kind::kFolderWithoutSlash;
    return false;
}

/// Executes the script; what it says is the response.
void run(const DocumentRootObject* self, RequestObject* request, zend_object* response,
         const Target& target) {
    if (!request->script) {
        throw_server_exception(
            "A DocumentRoot executes scripts in processes of its own: give it to Server::http() or to a "
            "route itself");
        return;
    }
    {
        ScriptPlace place;
        place.root = view(self->folder.path);
        place.name = "/" + std::string(target.path, target.path_bytes);
        place.file = place.root + place.name;
        place.path_info.assign(target.path_info, target.path_info_bytes);
        choose_script(*request->script, place);
    }
    run_in_process(*current_worker(), *request->script, response);
}

void send(const DocumentRootObject* self, ResponseObject* response, const Target& target) {
    if (self->cache_control) {
        remove_field(response, "cache-control");
        append_field(response, "Cache-Control", view(self->cache_control));
    }
    send_file(response, target.file, target.name());
}

void answer(const DocumentRootObject* self, RequestObject* request, zend_object* object,
            ResponseObject* response) {
    const SharedHead& head = *request->head;
    Target target;
    const bool is_forbidden = find(self, head.in(head.head.path), target);
    if (target.kind == Target::Kind::kNothing && self->front && !is_forbidden) {
        memcpy(target.path, ZSTR_VAL(self->front), ZSTR_LEN(self->front));
        target.path_bytes = ZSTR_LEN(self->front);
        target.path_info_bytes = 0;
        target.kind = Target::Kind::kScript;
    }
    switch (target.kind) {
        case Target::Kind::kScript: run(self, request, object, target); return;
        case Target::Kind::kFile:
            if (is_read(head)) {
                send(self, response, target);
                return;
            }
            close(target.file.fd);
            break;
        case Target::Kind::kFolderWithoutSlash: redirect_to_folder(response, head); return;
        case Target::Kind::kError:
            throw_server_exception("The file \"%s\" of \"%s\" cannot be sent: %s", target.path,
                                   ZSTR_VAL(self->folder.path), target.error);
            return;
        case Target::Kind::kNothing: break;
    }
    if (target.kind == Target::Kind::kNothing && !is_read(head)) {
        fail_response(object, 404, {});
    } else {
        answer_nothing(response, head);
    }
}

zend_array* usual_index() {
    zend_array* const index = zend_new_array(2);
    for (const char* text : {"index.php", "index.html"}) {
        zval name;
        ZVAL_STRING(&name, text);
        zend_hash_next_index_insert(index, &name);
    }
    return index;
}

bool check_front(const ServedFolder& folder, zend_string* path, zend_string* front) {
    FileToSend file;
    const char* error = nullptr;
    char decoded[kLongestPath];
    if (ZSTR_LEN(front) > 0 && ZSTR_LEN(front) < sizeof decoded &&
        http::static_path(view(front), "", decoded) &&
        http::source_kind(view(front)) == http::SourceKind::kScript &&
        open_in(folder, ZSTR_VAL(front), file, error) == Found::kFile) {
        close(file.fd);
        return true;
    }
    zend_argument_value_error(
        2, "must be a script in the folder \"%s\", such as \"index.php\", \"%.200s\" given", ZSTR_VAL(path),
        ZSTR_VAL(front));
    return false;
}

}  // namespace

void init_document_root_class(zend_class_entry* class_entry) {
    document_root_class = class_entry;
    class_entry->create_object = create_document_root;
    init_handlers<DocumentRootObject>(handlers, free_document_root);
}

bool is_document_root(const zval* target) {
    return Z_TYPE_P(target) == IS_OBJECT && Z_OBJCE_P(target) == document_root_class;
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_DocumentRoot, __construct) {
    zend_string *folder, *front = nullptr, *cache_control = nullptr;
    zend_array *index = nullptr, *links_to = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 5)
    Z_PARAM_PATH_STR(folder)
    Z_PARAM_OPTIONAL
    Z_PARAM_PATH_STR_OR_NULL(front)
    Z_PARAM_ARRAY_HT(index)
    Z_PARAM_STR_OR_NULL(cache_control)
    Z_PARAM_ARRAY_HT(links_to)
    ZEND_PARSE_PARAMETERS_END();

    DocumentRootObject* self = embedded<DocumentRootObject>(ZEND_THIS);
    if (self->folder.fd >= 0) {
        zend_throw_error(nullptr, "Sluice\\Http\\DocumentRoot is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (index && !check_index(index, 3)) RETURN_THROWS();
    if (cache_control && (ZSTR_LEN(cache_control) == 0 || !http::is_field_value(view(cache_control)))) {
        zend_argument_value_error(4, "must not be empty or hold CR, LF, NUL or another control character");
        RETURN_THROWS();
    }
    if (!open_folder(self->folder, folder, links_to, 5)) RETURN_THROWS();
    if (front && !check_front(self->folder, folder, front)) {
        close_folder(self->folder);
        RETURN_THROWS();
    }
    self->front = front ? zend_string_copy(front) : nullptr;
    self->cache_control = cache_control ? zend_string_copy(cache_control) : nullptr;
    self->index = index ? zend_array_dup(index) : usual_index();
}

ZEND_METHOD(Sluice_Http_DocumentRoot, handle) {
    zend_object *request, *object;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_OBJ_OF_CLASS(request, request_class)
    Z_PARAM_OBJ_OF_CLASS(object, response_class)
    ZEND_PARSE_PARAMETERS_END();
    DocumentRootObject* self = embedded<DocumentRootObject>(ZEND_THIS);
    if (self->folder.fd < 0) {
        zend_throw_error(nullptr, "Sluice\\Http\\DocumentRoot is not constructed");
        RETURN_THROWS();
    }
    ResponseObject* const response = before_head(object);
    if (!response) RETURN_THROWS();
    answer(self, embedded<RequestObject>(request), object, response);
}
