#include "php/worker/handler_calls.h"

#include <algorithm>
#include <cstdio>
#include <ext/standard/basic_functions.h>
#include <unistd.h>

#include "core/clock.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/output_buffers.h"
#include "php/coroutine/session_variable.h"
#include "php/hooks/open_transactions.h"
#include "php/worker/sending.h"
#include "php/worker/worker.h"
#include "php/zend/exceptions.h"
#include "protocol/http/error_page.h"
#include "protocol/websocket/websocket_frame.h"

// PHP's header declares it as if it were written in C++.
extern "C" void clear_stat_cache(bool and_real_paths, const char* name,
                                 size_t size) asm("php_clear_stat_cache");

namespace sluice::php {

namespace {

void close_connection(Worker& worker, const Inbound& message, uint16_t code) {
    submit_surely(worker, {.what = command::Close{code}, .connection = message.connection});
}

/// Where the running handler's occasion is stored: in its coroutine, or in the worker outside of coroutines.
const Occasion*& place_of_occasion(Worker& worker) {
    Coroutine* const self = current_coroutine();
    return self ? self->occasion : worker.occasion;
}

/// Less is not worth a look at whose it is: Admission charges something for each message.
constexpr uint64_t kLeastChargedUs = 20;

uint64_t runs_since_us = 0;  ///< by monotonic_us()

void (*note_wait)(Coroutine& self, uint64_t since_us, uint64_t now_us) = nullptr;

void charge(const Occasion* occasion, uint64_t client, uint64_t now_us) {
    const uint64_t us = now_us - runs_since_us;
    if (us < kLeastChargedUs) return;
    if (occasion) client = occasion->client();
    if (client != 0)
        current_worker()->port->charge(client, occasion ? occasion->connection() : kNoConnection,
                                       static_cast<uint32_t>(std::min<uint64_t>(us, FlowCosts::kMostUs)));
}

/// Tells of a handler from its begin to its end, unless a fatal error ends all.
class Handled {
  public:
    Handled(Worker& worker, const Occasion& occasion)
        : handlers_(worker.handlers), place_(place_of_occasion(worker)) {
        ++handlers_;
        place_ = &occasion;
        runs_since_us = monotonic_us();
        if (Coroutine* const self = current_coroutine()) self->begun_us = runs_since_us;
    }
    ~Handled() {
        charge(place_, 0, monotonic_us());
        place_ = nullptr;
        --handlers_;
    }

  private:
    unsigned& handlers_;
    const Occasion*& place_;
};

}  // namespace

void charge_for_what_runs() {
    Scheduler::when_suspended(
        [](Coroutine& self) {
            self.suspended_at_us = monotonic_us();
            charge(self.occasion, self.client, self.suspended_at_us);
        },
        [](Coroutine& self) {
            runs_since_us = monotonic_us();
            if (UNEXPECTED(note_wait) && (self.trace.request || self.trace.object))
                note_wait(self, self.suspended_at_us, runs_since_us);
        });
}

void note_waits_by(void (*note)(Coroutine& self, uint64_t since_us, uint64_t now_us)) {
    note_wait = note;
}

Sentence ConnectionEvent::name() const {
    char text[100];
    const int size = snprintf(text, sizeof text, "%s, connection %llu", kind_,
                              static_cast<unsigned long long>(connection_));
    return Sentence({text, static_cast<size_t>(size)});
}

void call_handler(Worker& worker, const Occasion& occasion, const Callback& callback, uint32_t count,
                  zval* arguments) {
    const Handled handled(worker, occasion);
    call(callback, count, arguments);
}

void call_handler_in_scope(Worker& worker, const Occasion& occasion, const Callback& callback, uint32_t count,
                           zval* arguments) {
    const Handled handled(worker, occasion);
    call_in_scope(callback, count, arguments);
}

const Occasion* current_occasion() {
    if (const Coroutine* self = enclosing_coroutine()) return self->occasion;
    return current_worker() ? current_worker()->occasion : nullptr;
}

uint64_t current_client() {
    if (const Coroutine* self = enclosing_coroutine()) return client_of(*self);
    const Occasion* const occasion = current_occasion();
    return occasion ? occasion->client() : 0;
}

const Callback& callback_for(const Handler& handler, const Inbound& message) {
    if (message.is<inbound::Opening>()) return handler.open;
    if (message.is<inbound::Pong>()) return handler.pong;
    return message.is<inbound::Closing>() ? handler.close : handler.message;
}

void end_output_of_handler() {
    const Coroutine* const self = current_coroutine();
    end_output_left(self ? self->buffer : nullptr);
}

void begin_apart() {
    // The file that was looked at last may have changed since then; PHP forgets it with a request.
    if (UNEXPECTED(BG(CurrentStatFile) || BG(CurrentLStatFile))) clear_stat_cache(false, nullptr, 0);
    if (scheduler()) return;
    note_transactions_outside(true);
    begin_session_variable();
}

void end_apart(const Worker& worker, const Callback& callback) {
    if (EG(exception) || worker.forked) return;
    drop_session_variable(callback.function);
    if (!scheduler()) {
        note_transactions_outside(false);
    } else if (Coroutine* const self = current_coroutine()) {
        roll_back_left(*self);
    }
}

bool check_exception(Worker& worker, const char* where) {
    settle_end_of_overdue();
    if (!EG(exception) || log_exception(where)) return true;
    worker.exited = true;
    return false;
}

bool call_with_event(Worker& worker, const Handler& handler, const Inbound& message, ArgumentsOf arguments_of,
                     const char* kind) {
    const Callback& callback = callback_for(handler, message);
    if (!callback) {
        drop_payload(worker, message);
        return true;
    }
    zval arguments[3];
    zend_string* payload = nullptr;
    const uint32_t count = arguments_of(worker, message, arguments, payload);
    const ConnectionEvent event(kind, message);
    call_handler(worker, event, callback, count, arguments);
    bool goes_on = true;
    if (EG(exception)) {
        goes_on = check_failure(worker, event.name().text(), [&] {
            if (!message.is<inbound::Closing>())
                close_connection(worker, message, websocket::close_code::kInternalError);
        });
    }
    for (uint32_t index = count; index-- > 0;)
        zval_ptr_dtor(&arguments[index]);
    if (payload) worker.strings.settle(message, payload);
    return goes_on;
}

void drop_file(const Inbound& message) {
    const inbound::BodyFile* file = message.file();
    if (!file) return;
    if (file->fd >= 0) close(file->fd);
    if (Worker* worker = current_worker()) worker->port->release_file(message);
}

void drop_payload(Worker& worker, const Inbound& message) {
    drop_file(message);
    zend_string* payload = worker.strings.take(message);
    zend_string_release(payload);
    worker.strings.settle(message, payload);
}

void refuse(Worker& worker, const Inbound& message) {
    const auto* request = message.as<inbound::Request>();
    const http::ErrorFormat wanted =
        request ? http::wanted_format(request->head.fields, request->head.text.data())
                : http::ErrorFormat::kAny;
    drop_payload(worker, message);
    if (request) {
        const bool is_lost = worker.endpoint_index(message.endpoint) < 0 &&
                             worker.port->match_anew(message.endpoint, request->head).has_site;
        const std::string allowed =
            is_lost ? worker.port->allowed_methods(message.endpoint, request->head) : std::string();
        const uint16_t status = !is_lost ? 503 : allowed.empty() ? 404 : 405;
        http::ErrorPage page = http::make_error_page(nullptr, wanted, {status, {}, request->number});
        if (status == 405) page.fields += "allow: " + allowed + "\r\n";
        const command::Respond response{.request = request->number, .status = status, .fields = page.fields};
        submit_surely(worker, {.what = response, .connection = message.connection, .payload = page.body});
        if (request->pipelined) worker.pipelines.end(message.connection);
    } else if (!message.is<inbound::Closing>() && !message.is<inbound::Datagram>()) {
        close_connection(worker, message, websocket::close_code::kServiceRestart);
    }
}

}  // namespace sluice::php
