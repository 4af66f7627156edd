#include "php/http/script_sapi.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "core/clock.h"
#include "php/http/request_class.h"
#include "php/http/request_object.h"
#include "php/http/script_fields.h"
#include "php/http/script_functions.h"
#include "php/http/script_ini.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"
#include "protocol/http/http1_response.h"
// clang-format off
#include "php/zend/php_api.h"
#include <main/php_main.h>
// clang-format on

// PHP's header declares it as if it were written in C++.
extern "C" void free_shutdown_functions() asm("php_free_shutdown_functions");

namespace sluice::php {

namespace {

/// Output is gathered up to this size before it is sent, unless the script calls flush().
constexpr size_t kPartBytes = 65536;

/// The request that runs, and its response. PHP may jump out of any function that it has called, so nothing
/// of this stands on the stack.
struct Page {
    Worker* worker = nullptr;
    ScriptSink* sink = nullptr;
    const ScriptPlace* place = nullptr;
    Inbound message;

    std::string method, query, target, type, cookies;  ///< what PHP's request refers to
    std::string folder;                                ///< the script's
    uint64_t begun_us = 0;

    std::string fields;
    std::string rest;  ///< output that was not sent yet
    uint16_t status = 200;
    bool has_head = false;  ///< PHP has said what it is
    bool head_sent = false;
    bool complete = false;
    bool gone = false;  ///< the client
};
Page page;

const inbound::Request& request() {
    return *page.message.as<inbound::Request>();
}

std::string_view in_head(http::Span16 span) {
    return span.in(request().head.text.data());
}

/// The values of a field, joined.
void join_fields(std::string_view name, std::string_view glue, std::string& all) {
    all.clear();
    for (const http::Field& field : request().head.fields) {
        if (!http::equals_caseless(in_head(field.name), name)) continue;
        if (!all.empty()) all += glue;
        all += in_head(field.value);
    }
}

/// What the log calls the running script.
class ScriptOccasion final : public Occasion {
  public:
    Sentence name() const override {
        constexpr size_t kMostBytes = 200;
        char text[2 * kMostBytes];
        const int size =
            snprintf(text, sizeof text, "a script, %.20s %.*s", page.method.c_str(),
                     static_cast<int>(std::min(page.target.size(), kMostBytes)), page.target.c_str());
        return Sentence({text, static_cast<size_t>(size)});
    }
    uint64_t client() const override { return 0; }
};
ScriptOccasion occasion;

/// Sends what is there; `done`: nothing more of this request is sent.
void send_output(bool last, bool done) {
    if (page.complete || page.gone || page.worker->forked) return page.rest.clear();
    Command command{.connection = page.message.connection};
    if (http1::status_has_body(page.status)) command.payload = page.rest;
    if (page.head_sent) {
        command.what = command::BodyPart{.request = request().number, .last = last};
    } else {
        command.what = command::Respond{
            .request = request().number, .status = page.status, .last = last, .fields = page.fields};
    }
    page.gone = !page.sink->send(command, done);
    page.head_sent = true;
    page.complete = last;
    page.rest.clear();
}

/// The client has gone: as php-fpm does, ends the script unless it wants to go on.
void abort_if_gone() {
    if (page.gone && !page.complete) php_handle_aborted_connection();
}

size_t write_output(const char* text, size_t size) {
    if (page.complete) return size;
    page.rest.append(text, size);
    if (page.rest.size() >= kPartBytes) {
        send_output(false, false);
        abort_if_gone();
    }
    return size;
}

void flush_output(void*) {
    if (!page.has_head || page.complete || (page.rest.empty() && page.head_sent)) return;
    send_output(false, false);
    abort_if_gone();
}

int take_headers(sapi_headers_struct* said) {
    page.has_head = true;
    page.status = status_of_script(*said);
    page.fields.clear();
    const bool has_body = http1::status_has_body(page.status);
    for_each_field_of_script(*said, [has_body](std::string_view name, std::string_view value) {
        if (!has_body && http::equals_caseless(name, "content-type")) return;
        page.fields.append(name).append(": ").append(value).append("\r\n");
    });
    return SAPI_HEADER_SENT_SUCCESSFULLY;
}

size_t read_body(char* buffer, size_t size) {
    const auto at = static_cast<uint64_t>(SG(read_post_bytes));
    if (const inbound::BodyFile* const file = page.message.file()) {
        ssize_t got;
        do
            got = pread(file->fd, buffer, size, static_cast<off_t>(at));
        while (got < 0 && errno == EINTR);
        return got < 0 ? 0 : static_cast<size_t>(got);
    }
    const std::string_view part =
        page.message.payload.substr(std::min<size_t>(at, page.message.payload.size()), size);
    memcpy(buffer, part.data(), part.size());
    return part.size();
}

char* read_cookies() {
    return page.cookies.empty() ? nullptr : page.cookies.data();
}

void set_variable(zval* array, const char* name, std::string_view value) {
    zval text;
    ZVAL_STR(&text, new_string(value));
    zend_symtable_str_update(Z_ARRVAL_P(array), name, strlen(name), &text);
}

void register_variables(zval* array) {
    Inbound without_body = page.message;
    std::get<inbound::Request>(without_body.what).file = {};
    zend_object* const object = new_request(without_body, ZSTR_EMPTY_ALLOC());
    RequestObject* const self = embedded<RequestObject>(object);
    self->begun_us = page.begun_us;
    add_server_params(array, self);
    OBJ_RELEASE(object);
    const ScriptPlace& place = *page.place;
    set_variable(array, "GATEWAY_INTERFACE", "CGI/1.1");
    set_variable(array, "SCRIPT_FILENAME", place.file);
    set_variable(array, "DOCUMENT_ROOT", place.root);
    set_variable(array, "SCRIPT_NAME", place.name);
    if (!place.path_info.empty()) set_variable(array, "PATH_INFO", place.path_info);
    zval self_name;
    ZVAL_STR(&self_name, zend_string_concat2(place.name.data(), place.name.size(), place.path_info.data(),
                                             place.path_info.size()));
    zend_symtable_str_update(Z_ARRVAL_P(array), ZEND_STRL("PHP_SELF"), &self_name);
}

class RunningScript final : public ServedRequest {
  public:
    std::span<const http::Field> fields() const override { return request().head.fields; }
    const char* text() const override { return request().head.text.data(); }
    bool finish() override {
        if (page.complete || page.gone) return false;
        php_output_end_all();
        sapi_send_headers();
        send_output(true, false);
        return true;
    }
};
RunningScript running_script;

/// Nearly the last step of PHP's request: all output has come, and sessions are written.
int end_response() {
    if (page.sink) send_output(true, true);
    return SUCCESS;
}

void take_request(Worker& worker, const Inbound& message, const ScriptPlace& place, ScriptSink& sink) {
    page.worker = &worker;
    page.sink = &sink;
    page.place = &place;
    page.message = message;
    page.begun_us = wall_clock_us();
    page.status = 200;
    page.has_head = page.head_sent = page.complete = page.gone = false;
    page.folder = place.file.substr(0, std::max<size_t>(place.file.rfind('/'), 1));
    page.fields.clear();
    page.rest.clear();
    const http::RequestHead& head = *request().head.parsed;
    page.method = in_head(head.method_text);
    page.query = in_head(head.query);
    page.target = in_head(head.target);
    join_fields("content-type", ", ", page.type);
    join_fields("cookie", "; ", page.cookies);
}

void begin_request_info() {
    SG(request_info) = {};
    sapi_request_info& info = SG(request_info);
    info.request_method = page.method.c_str();
    info.query_string = page.query.data();
    info.request_uri = page.target.data();
    info.path_translated = const_cast<char*>(page.place->file.c_str());
    info.content_type = page.type.empty() ? nullptr : page.type.c_str();
    const inbound::BodyFile* const file = page.message.file();
    info.content_length = static_cast<zend_long>(file ? file->bytes : page.message.payload.size());
    info.proto_num = request().head.parsed->version_major * 1000 + request().head.parsed->version_minor;
    SG(server_context) = &page;
    SG(sapi_headers).http_response_code = 200;
    for (const http::Field& field : request().head.fields) {
        if (!http::equals_caseless(in_head(field.name), "authorization")) continue;
        zend_string* const text = new_string(in_head(field.value));
        php_handle_auth_data(ZSTR_VAL(text));
        zend_string_release(text);
    }
}

/// PHP's request; it may be left by a jump at any point.
void execute() {
    [[maybe_unused]] const int entered = chdir(page.folder.c_str());
    zend_file_handle script;
    zend_stream_init_filename(&script, page.place->file.c_str());
    script.primary_script = true;
    php_execute_script(&script);
    zend_destroy_file_handle(&script);
}

/// PHP's command line is no server to applications, and they choose by this name what they can call.
void be_called_as_servers_are() {
    static char name[] = "fpm-fcgi";
    sapi_module.name = name;
    auto* const constant =
        static_cast<zend_constant*>(zend_hash_str_find_ptr(EG(zend_constants), ZEND_STRL("PHP_SAPI")));
    if (!constant) return;
    zend_string* const text = zend_string_init(name, strlen(name), true);
    zend_string_hash_val(text);
    GC_ADD_FLAGS(text, IS_STR_INTERNED | IS_STR_PERMANENT);
    ZVAL_INTERNED_STR(&constant->value, text);
}

/// A closed descriptor would be that of the next file, and output of programs would go there.
void keep_standard_descriptors() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(fd, F_GETFD) >= 0) continue;
        const int null = open("/dev/null", O_RDWR);
        if (null >= 0 && null != fd) {
            dup2(null, fd);
            close(null);
        }
    }
}

}  // namespace

void leave_boot() {
    free_shutdown_functions();
    zend_objects_store_mark_destructed(&EG(objects_store));
    php_output_discard_all();
    php_output_set_status(PHP_OUTPUT_DISABLED);
    php_request_shutdown(nullptr);
    keep_standard_descriptors();
}

void become_script_sapi() {
    sapi_module.ub_write = write_output;
    sapi_module.flush = flush_output;
    sapi_module.header_handler = nullptr;
    sapi_module.send_headers = take_headers;
    sapi_module.send_header = nullptr;
    sapi_module.read_post = read_body;
    sapi_module.read_cookies = read_cookies;
    sapi_module.register_server_variables = register_variables;
    sapi_module.deactivate = end_response;
    sapi_module.phpinfo_as_text = 0;
    // PHP would go back to the folder before, which is nobody's.
    SG(options) |= SAPI_OPTION_NO_CHDIR;
    PG(expose_php) = false;
    be_called_as_servers_are();
    take_ini_of_servers();
    keep_script_functions([]() -> ServedRequest* { return page.sink ? &running_script : nullptr; });
#ifdef ZEND_SIGNALS
    // As php-fpm: PHP does not look at each request whether its handlers of signals are still there.
    SIGG(reset) = false;
#endif
}

bool run_script(Worker& worker, const Inbound& message, const ScriptPlace& place, ScriptSink& sink) {
    take_request(worker, message, place, sink);
    bool has_begun = false;
    worker.occasion = &occasion;
    zend_first_try {
        begin_request_info();
        has_begun = php_request_startup() == SUCCESS;
        // Otherwise PHP would stop all output after the head, and its length would not be known.
        SG(request_info).headers_only = false;
        if (has_begun) execute();
    }
    zend_end_try();
    zend_try {
        php_request_shutdown(nullptr);
    }
    zend_end_try();
    worker.occasion = nullptr;
    page.sink = nullptr;
    if (const inbound::BodyFile* const file = page.message.file(); file && file->fd >= 0) close(file->fd);
    return has_begun && !worker.forked;
}

}  // namespace sluice::php
