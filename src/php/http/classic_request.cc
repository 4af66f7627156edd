#include "php/http/classic_request.h"

#include <algorithm>
#include <ext/standard/basic_functions.h>
#include <main/php_main.h>

#include "core/log.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/no_waiting.h"
#include "php/coroutine/output_buffers.h"
#include "php/http/classic_declarations.h"
#include "php/http/classic_settings.h"
#include "php/http/request_object.h"
#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/http/script_fields.h"
#include "php/http/script_ini.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/exceptions.h"
#include "php/zend/objects.h"
#include "protocol/http/http1_response.h"

// PHP's header declares them as if they were written in C++.
extern "C" {
void call_shutdown_functions() asm("php_call_shutdown_functions");
void free_shutdown_functions() asm("php_free_shutdown_functions");
}

namespace sluice::php {

namespace {

/// Output is buffered up to this size, so that headers may follow it; longer output is sent in parts.
constexpr size_t kBufferBytes = 65536;

/// The outside's globals, while a request's are installed.
ClassicGlobals outside;

}  // namespace

class ClassicRequest final : public RequestGlobals {
  public:
    ClassicRequest(zend_object* request, zend_object* response, zend_string* script)
        : request_(embedded<RequestObject>(request)),
          response_(embedded<ResponseObject>(response)),
          script_(script),
          own_(new_classic_globals()) {}

    void put_in_place() override {
        take_classic_globals(outside);
        put_classic_globals(own_);
        settings_.put_in_place();
    }
    void set_aside() override {
        settings_.set_aside();
        take_classic_globals(own_);
        put_classic_globals(outside);
    }
    size_t write(const char* text, size_t size) override;
    void note_fatal_error() override { is_broken_ = true; }
    /// Sends the written output to the client.
    void flush();

    void begin();
    /// Runs shutdown functions and destructors. An unhandled exception is set afterwards.
    void end_handler();
    void answer();
    void end();

    ClassicSettings& settings() { return settings_; }

    size_t read_body(char* buffer, size_t size);
    void register_variables(zval* array);

  private:
    void release_variables();
    void send_head();
    void note_uncaught();
    void take_field(std::string_view name, std::string_view value);
    char* keep(std::string_view text);
    char* joined_fields(std::string_view name, std::string_view glue);

    RequestObject* request_;
    ResponseObject* response_;
    zend_string* script_;
    GivenGlobals given_ = {};
    const php_output_handler* outer_buffer_ = nullptr;
    smart_str rest_ = {};                       ///< written, not sent yet
    zend_object* uncaught_ = nullptr;           ///< the exception that has ended the script
    zend_object* cancelled_ = nullptr;          ///< or the one that says that nobody waits for it
    php_output_handler* own_buffer_ = nullptr;  ///< the outermost of this request
    bool ends_ = false;                         ///< further output belongs to the end of the response
    bool is_broken_ = false;  ///< by a fatal error
    bool is_encoded_ = false;  ///< the output is complete: what is added would be garbage to the client
    char* kept_[6] = {};       ///< strings that PHP refers to
    size_t kept_count_ = 0;
    ClassicSettings settings_ = {};
    ClassicGlobals own_;  ///< saved while another request's are installed
};

namespace {

ClassicRequest* running() {
    return static_cast<ClassicRequest*>(request_globals());
}

/// The SAPI module of PHP's command line, used outside of classic requests.
sapi_module_struct original;

int handle_header(sapi_header_struct* header, sapi_header_op_enum op, sapi_headers_struct* headers) {
    if (running()) return SAPI_HEADER_ADD;
    return original.header_handler ? original.header_handler(header, op, headers) : SAPI_HEADER_ADD;
}

int send_headers(sapi_headers_struct* headers) {
    // Headers are read from PHP at the first output.
    if (running()) return SAPI_HEADER_SENT_SUCCESSFULLY;
    return original.send_headers ? original.send_headers(headers) : SAPI_HEADER_SENT_SUCCESSFULLY;
}

void flush(void* context) {
    if (ClassicRequest* const classic = running()) return classic->flush();
    if (original.flush) original.flush(context);
}

size_t read_post(char* buffer, size_t size) {
    if (ClassicRequest* const classic = running()) return classic->read_body(buffer, size);
    return original.read_post ? original.read_post(buffer, size) : 0;
}

void register_server_variables(zval* array) {
    if (ClassicRequest* const classic = running()) return classic->register_variables(array);
    if (original.register_server_variables) original.register_server_variables(array);
}

/// Replaces ext/filter's input filter, which keeps one request's variables for the process.
unsigned keep_variable(int, const char*, char**, size_t size, size_t* new_size) {
    if (new_size) *new_size = size;
    return 1;
}
unsigned begin_variables() {
    return SUCCESS;
}

bool is_anything_buffered() {
    auto* const* const handlers = static_cast<php_output_handler* const*>(zend_stack_base(&OG(handlers)));
    for (int place = 0; place < zend_stack_count(&OG(handlers)); ++place)
        if (handlers[place]->buffer.used > 0) return true;
    return false;
}

void be_sapi() {
    static bool is_done = false;
    if (is_done) return;
    is_done = true;
    original = sapi_module;
    sapi_module.header_handler = handle_header;
    sapi_module.send_headers = send_headers;
    sapi_module.flush = flush;
    sapi_module.read_post = read_post;
    sapi_module.input_filter = keep_variable;
    sapi_module.input_filter_init = begin_variables;
    sapi_module.register_server_variables = register_server_variables;
    // PHP's command line flushes each piece of output.
    php_output_set_implicit_flush(0);
    // PHP creates them when code that names them is compiled, but a request's code was compiled before.
    for (const char* name : {"_SERVER", "_ENV", "_REQUEST"})
        zend_is_auto_global_str(name, strlen(name));
}

void forget_url_rewriter(url_adapt_state_ex_t& rewriter) {
    for (smart_str* text : {&rewriter.tag, &rewriter.arg, &rewriter.val, &rewriter.buf, &rewriter.result,
                            &rewriter.form_app, &rewriter.url_app, &rewriter.attr_val})
        smart_str_free(text);
    rewriter.active = rewriter.tag_type = rewriter.attr_type = 0;
}

/// Whether header(), or a part of PHP, has set a field of the response.
bool has_header(std::string_view name) {
    const zend_llist& headers = SG(sapi_headers).headers;
    for (const zend_llist_element* element = headers.head; element; element = element->next) {
        const auto* const header = reinterpret_cast<const sapi_header_struct*>(element->data);
        const std::string_view line(header->header, header->header_len);
        if (http::equals_caseless(http::trim_blanks(line.substr(0, line.find(':'))), name)) return true;
    }
    return false;
}

/// Whether the exception is exit()'s, which has ended what it should.
bool settle_exit() {
    settle_end_of_overdue();
    if (!zend_is_unwind_exit(EG(exception))) return false;
    zend_clear_exception();
    // In a fork it is the process's status.
    if (!current_worker()->forked) EG(exit_status) = 0;
    return true;
}

/// As zend_user_exception_handler(), which would lose what the handler throws where it has a caller.
void call_exception_handler() {
    zval handler, argument, returned;
    ZVAL_COPY_VALUE(&handler, &EG(user_exception_handler));
    ZVAL_UNDEF(&EG(user_exception_handler));
    ZVAL_UNDEF(&returned);
    ZVAL_OBJ(&argument, take_exception());
    call_user_function(nullptr, nullptr, &handler, &returned, 1, &argument);
    zval_ptr_dtor(&returned);
    zval_ptr_dtor(&argument);
    if (Z_TYPE(EG(user_exception_handler)) == IS_UNDEF) {
        ZVAL_COPY_VALUE(&EG(user_exception_handler), &handler);
    } else {
        zval_ptr_dtor(&handler);
    }
}

/// Treats the handler's exception as PHP's servers do: exit() ends it, the script's exception handler gets
/// others.
void settle_exception() {
    if (!EG(exception) || settle_exit()) return;
    if (!is_exit(EG(exception)) && Z_TYPE(EG(user_exception_handler)) != IS_UNDEF &&
        !comes_of_cancellation(EG(exception))) {
        call_exception_handler();
        if (EG(exception)) settle_exit();
    }
}

/// Ends output_add_rewrite_var() with a page or with the script's own output, as the end of PHP's request
/// does. Its output buffer must have ended.
void forget_url_rewriters() {
    if (BG(url_adapt_output_ex).active) forget_url_rewriter(BG(url_adapt_output_ex));
    if (BG(url_adapt_session_ex).active) forget_url_rewriter(BG(url_adapt_session_ex));
}

void set_variable(zval* array, const char* name, zend_string* value) {
    zval text;
    ZVAL_STR(&text, value);
    zend_symtable_str_update(Z_ARRVAL_P(array), name, strlen(name), &text);
}

}  // namespace

void end_rewriting_of_script() {
    if (BG(url_adapt_output_ex).active)
        SLUICE_WARNING(
            "output_add_rewrite_var() was called before run(), and rewrites no page: call it in the code "
            "that makes the page, where there are no coroutines");
    forget_url_rewriters();
}

void prepare_classic() {
    let_scripts_declare_again([] { return running() != nullptr; });
    watch_settings([]() -> ClassicSettings* {
        ClassicRequest* const classic = running();
        return classic ? &classic->settings() : nullptr;
    });
}

void release_classic() {
    release_settings();
    if (!original.name) return;
    sapi_module.header_handler = original.header_handler;
    sapi_module.send_headers = original.send_headers;
    sapi_module.flush = original.flush;
    sapi_module.read_post = original.read_post;
    sapi_module.input_filter = original.input_filter;
    sapi_module.input_filter_init = original.input_filter_init;
    sapi_module.register_server_variables = original.register_server_variables;
}

char* ClassicRequest::keep(std::string_view text) {
    return kept_[kept_count_++] = estrndup(text.data(), text.size());
}

/// The values of a field, joined; nullptr when there is no such field.
char* ClassicRequest::joined_fields(std::string_view name, std::string_view glue) {
    smart_str all = {};
    for_each_field(*request_->head, name, [&](std::string_view value) {
        if (all.s) smart_str_appendl(&all, glue.data(), glue.size());
        smart_str_appendl(&all, value.data(), value.size());
    });
    if (!all.s) return nullptr;
    char* const kept = keep(view(all.s));
    smart_str_free(&all);
    return kept;
}

void ClassicRequest::begin() {
    const SharedHead& head = *request_->head;
    given_ = give_request_globals(this);
    sapi_request_info& info = SG(request_info);
    info.request_method = keep(head.in(head.head.method_text));
    info.query_string = keep(head.in(head.head.query));
    info.request_uri = keep(head.in(head.head.target));
    info.content_type = joined_fields("content-type", ", ");
    info.content_length =
        static_cast<zend_long>(request_->body ? ZSTR_LEN(request_->body) : request_->source->bytes);
    if (script_) info.path_translated = keep(view(script_));
    char* const cookies = joined_fields("cookie", "; ");
    sapi_activate();
    // Otherwise PHP would stop all output after the head.
    SG(request_info).headers_only = false;
    SG(request_info).cookie_data = cookies;
    SG(sapi_headers).http_response_code = 200;
    SG(global_request_time) = static_cast<double>(request_->begun_us) / 1e6;
    for_each_field(head, "authorization", [](std::string_view value) {
        zend_string* const text = new_string(value);
        php_handle_auth_data(ZSTR_VAL(text));
        zend_string_release(text);
    });
    zend_activate_auto_globals();
    for (const char* name : {"_SERVER", "_ENV", "_REQUEST"})
        zend_is_auto_global_str(name, strlen(name));
    outer_buffer_ = OG(active);
    begin_classic_output(kBufferBytes);
    own_buffer_ = OG(active);
}

size_t ClassicRequest::read_body(char* buffer, size_t size) {
    const auto at = static_cast<uint64_t>(SG(read_post_bytes));
    if (!request_->body) {
        const ssize_t got = read_body_at(request_->source, at, buffer, size);
        return got < 0 ? 0 : static_cast<size_t>(got);
    }
    const std::string_view body = view(request_->body);
    const std::string_view part = body.substr(std::min<size_t>(at, body.size()), size);
    memcpy(buffer, part.data(), part.size());
    return part.size();
}

void ClassicRequest::register_variables(zval* array) {
    add_server_params(array, request_);
    set_variable(array, "GATEWAY_INTERFACE", zend_string_init("CGI/1.1", 7, false));
    const SharedHead& head = *request_->head;
    const std::string_view target = head.in(head.head.target);
    const std::string_view path = target.substr(0, target.find('?'));
    if (!script_) {
        set_variable(array, "PHP_SELF", new_string(path));
        return;
    }
    const std::string_view file = view(script_);
    const size_t slash = file.rfind('/');
    const std::string_view name = file.substr(slash == file.npos ? 0 : slash);
    const std::string_view below = path.starts_with(name) ? path.substr(name.size()) : std::string_view();
    set_variable(array, "SCRIPT_FILENAME", zend_string_copy(script_));
    set_variable(array, "DOCUMENT_ROOT", new_string(file.substr(0, slash == file.npos ? 0 : slash)));
    set_variable(array, "SCRIPT_NAME", new_string(name));
    set_variable(array, "PHP_SELF",
                 zend_string_concat2(name.data(), name.size(), below.data(), below.size()));
    if (!below.empty()) set_variable(array, "PATH_INFO", new_string(below));
}

void ClassicRequest::take_field(std::string_view name, std::string_view value) {
    if (http::equals_caseless(name, "content-type")) {
        if (response_->has_content_type || !http1::status_has_body(response_->status)) return;
        response_->has_content_type = true;
    }
    append_field(response_, name, value);
}

/// The status and fields of header() become the response's.
void ClassicRequest::send_head() {
    const sapi_headers_struct& said = SG(sapi_headers);
    if (!response_->has_status) {
        response_->status = status_of_script(said);
        response_->has_status = true;
    }
    for_each_field_of_script(
        said, [this](std::string_view name, std::string_view value) { take_field(name, value); });
}

size_t ClassicRequest::write(const char* text, size_t size) {
    // Output is dropped after the handler has answered by itself, and after a fatal error.
    if (is_encoded_ || !response_->open || response_->abandoned || is_dying()) return size;
    smart_str_appendl(&rest_, text, size);
    if (!ends_ && ZSTR_LEN(rest_.s) > kBufferBytes) flush();
    return size;
}

void ClassicRequest::flush() {
    // Where php.ini asks for no buffer the script knows of none.
    if (OG(active) && OG(active) == own_buffer_ && !OG(running) && !servers_buffer_output()) {
        php_output_flush();
    }
    if (!rest_.s || !response_->open || response_->abandoned || is_dying()) return;
    // What nobody may wait in is sent when it is over.
    if (is_waiting_forbidden()) return;
    smart_str part = rest_;
    rest_ = {};
    if (!response_->head_sent) send_head();
    // May suspend, while other coroutines of the request write more.
    if (http1::status_has_body(response_->status)) write_part(response_, view(part.s));
    smart_str_free(&part);
}

/// As PHP does with an exception that nobody catches: shutdown functions see it as the last error, and what
/// they print is the page. What was printed before is lost, for the page would look whole.
void ClassicRequest::note_uncaught() {
    zend_string* const text = describe_exception();
    uncaught_ = take_exception();
    zend_string* const old_message = PG(last_error_message);
    PG(last_error_type) = E_ERROR;
    PG(last_error_message) = zend_string_concat2(ZEND_STRL("Uncaught "), ZSTR_VAL(text), ZSTR_LEN(text));
    if (old_message) zend_string_release(old_message);
    zend_string_release(text);
    zval room;
    zval* const file =
        zend_read_property(zend_get_exception_base(uncaught_), uncaught_, ZEND_STRL("file"), true, &room);
    if (PG(last_error_file)) zend_string_release(PG(last_error_file));
    PG(last_error_file) = Z_TYPE_P(file) == IS_STRING ? zend_string_copy(Z_STR_P(file)) : zend_empty_string;
    zval* const line =
        zend_read_property(zend_get_exception_base(uncaught_), uncaught_, ZEND_STRL("line"), true, &room);
    PG(last_error_lineno) = Z_TYPE_P(line) == IS_LONG ? static_cast<int>(Z_LVAL_P(line)) : 0;
    if (response_->head_sent) return;
    php_output_clean_all();
    smart_str_free(&rest_);
    if (SG(sapi_headers).http_response_code == 200) SG(sapi_headers).http_response_code = 500;
}

void ClassicRequest::end_handler() {
    settle_exception();
    if (EG(exception) && comes_of_cancellation(EG(exception))) {
        cancelled_ = take_exception();
        if (!current_worker()->port->is_open(response_->connection))
            PG(connection_status) |= PHP_CONNECTION_ABORTED;
    } else if (EG(exception) && !is_exit(EG(exception))) {
        note_uncaught();
    }
    if (EG(exception)) return;
    call_until_fatal_error([] {
        call_shutdown_functions();
        // PHP has caught a fatal error there.
        if (CG(unclean_shutdown)) zend_bailout();
    });
    settle_exception();
    if (EG(exception)) return;
    call_until_fatal_error([this] { settings_.end_session(); });
    settle_exception();
    if (EG(exception) || is_broken_) return;
    call_until_fatal_error(release_classic_objects);
    settle_exception();
}

/// Without destructors after a fatal error, as in PHP.
void ClassicRequest::release_variables() {
    if (is_broken_) return lose_classic_variables();
    if (call_until_fatal_error(release_classic_variables)) return;
    settle_exit();
    lose_classic_variables();
}

void ClassicRequest::answer() {
    if (EG(exception) || cancelled_) return;
    // The server's own error page takes the place of no page at all.
    if (uncaught_ && !response_->head_sent && !rest_.s && !is_anything_buffered()) return;
    ends_ = true;
    const bool has_ended = call_until_fatal_error([this] { end_output_buffers(outer_buffer_); });
    if (!has_ended && !is_output_buffer(outer_buffer_)) outer_buffer_ = nullptr;
    // The rest is lost with the exception of a callback, as in PHP's servers: exit() there ends the output,
    // and the script's exception handler does not get others.
    if (EG(exception)) {
        drop_output_buffers(outer_buffer_);
        if (!settle_exit()) return;
    }
    is_encoded_ = has_header("content-encoding");
    // Callbacks of the buffers have read them.
    release_variables();
    settle_exception();
    if (EG(exception) || !response_->open) return;
    if (!response_->head_sent) {
        sapi_send_headers();
        send_head();
    }
    std::string_view body = rest_.s ? view(rest_.s) : std::string_view();
    if (!http1::status_has_body(response_->status)) body = {};
    zval delivery;
    ZVAL_UNDEF(&delivery);
    finish(&delivery, response_, body, nullptr);
    zval_ptr_dtor(&delivery);
}

void ClassicRequest::end() {
    // Those of a request that failed, and those that destructors have begun after the output has ended.
    drop_output_buffers(outer_buffer_);
    forget_url_rewriters();
    free_shutdown_functions();
    settings_.release();
    zend_object* const ended_by = uncaught_ ? uncaught_ : cancelled_;
    if (ended_by && !EG(exception)) {
        put_back_exception(ended_by);
    } else if (ended_by) {
        OBJ_RELEASE(ended_by);
    }
    release_variables();
    release_classic_globals();
    take_request_globals(given_);
    smart_str_free(&rest_);
    for (size_t index = 0; index < kept_count_; ++index)
        efree(kept_[index]);
}

ClassicRequest* begin_classic(zend_object* request, zend_object* response, zend_string* script) {
    be_sapi();
    if (!receive_whole(embedded<RequestObject>(request))) return nullptr;
    void* const place = emalloc(sizeof(ClassicRequest));
    auto* const classic = new (place) ClassicRequest(request, response, script);
    classic->begin();
    return classic;
}

void end_classic(ClassicRequest* classic) {
    if (!classic) return;
    classic->end_handler();
    classic->answer();
    classic->end();
    efree(classic);
}

}  // namespace sluice::php
