#include "php/http/script_request.h"

#include <poll.h>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/waiting.h"
#include "php/http/process_deadline.h"
#include "php/http/response_class.h"
#include "php/http/response_object.h"
#include "php/http/response_sending.h"
#include "php/worker/worker.h"
#include "php/zend/objects.h"
#include "server/config/limits.h"
#include "server/seam/records.h"

namespace sluice::php {

namespace {

using Claim = ScriptProcesses::Claim;
using Progress = RequestLink::Progress;

enum class Passed { kOn, kDone, kBroken };

/// Makes what a script says a part of the response.
Passed pass_page(ResponseObject* response, std::span<const char> record, uint16_t kind) {
    if (RequestLink::is_done(kind)) return Passed::kDone;
    const std::optional<DecodedCommand> decoded = read_command(record, kind);
    const auto* const head = decoded ? decoded->command.as<command::Respond>() : nullptr;
    const auto* const part = decoded ? decoded->command.as<command::BodyPart>() : nullptr;
    if (!head && !part) return Passed::kBroken;
    // What comes once the client has gone, or the server has answered, is lost.
    if (!response->open || response->abandoned) return Passed::kOn;
    if (head && !response->head_sent) {
        if (!response->has_status) response->status = head->status;
        response->has_status = response->has_content_type = true;
        smart_str_appendl(&response->fields, head->fields.data(), head->fields.size());
    }
    const std::string_view body = decoded->command.payload;
    if (!(head ? head->last : part->last)) {
        const Delivery delivery = write_part(response, body);
        return EG(exception) || delivery == Delivery::kDropped ? Passed::kBroken : Passed::kOn;
    }
    zval delivery;
    ZVAL_UNDEF(&delivery);
    finish(&delivery, response, body, nullptr);
    zval_ptr_dtor(&delivery);
    return EG(exception) || response->open ? Passed::kBroken : Passed::kOn;
}

/// Suspends until `fd` is readable or the time has come; 0: it never comes. False when an exception is set.
bool wait_for_input(int fd, uint64_t due_ms) {
    Coroutine* const self = suspendable();
    if (!self) {
        pollfd one{fd, POLLIN, 0};
        const uint64_t now_ms = monotonic_ms();
        poll(&one, 1, !due_ms ? -1 : due_ms > now_ms ? static_cast<int>(due_ms - now_ms) : 0);
        return true;
    }
    // Nothing was there just now, and the next look tells what has come: no poll could say more.
    FdWait wait{fd, POLLIN, self, nullptr};
    Wake wake = Wake::kWoken;
    if (!scheduler()->suspend_for(*self, {&wait, 1}, due_ms, wake)) {
        pollfd one{fd, POLLIN, 0};
        const uint64_t now_ms = monotonic_ms();
        wait_in_poll(*self, &one, 1, !due_ms ? -1 : due_ms > now_ms ? static_cast<int>(due_ms - now_ms) : 0);
    }
    return !EG(exception);
}

/// Waits until a process is free; an empty claim when none is in time, or with an exception.
Claim claim_process(ScriptProcesses& processes, const ProcessDeadline& deadline) {
    Claim claim = processes.claim();
    if (EXPECTED(claim)) return claim;
    // All are at work for other workers, or the first ones are about to begin.
    processes.begin_waiting();
    while (!(claim = processes.claim())) {
        if (!wait_for_input(processes.freed_fd(), deadline.due_ms())) break;
        if (deadline.due_ms() && monotonic_ms() >= deadline.due_ms()) break;
        processes.take_freed();
    }
    processes.end_waiting();
    return claim;
}

/// One request at one process.
struct Exchange {
    Worker& worker;
    ScriptProcesses& processes;
    const Claim& claim;
    zend_object* response;

    ResponseObject* page() const { return embedded<ResponseObject>(response); }
};

/// All that has come. False: the exchange is over, and `clean` says whether the process is done.
bool pass_all(const Exchange& exchange, ProcessDeadline& deadline, bool& clean) {
    RequestLink& link = *exchange.claim.link;
    for (;;) {
        const Progress received = link.receive();
        uint16_t kind;
        for (std::span<const char> record; !(record = link.next(kind)).empty();) {
            const Passed passed = pass_page(exchange.page(), record, kind);
            if (passed == Passed::kDone) return !(clean = true);
            if (passed == Passed::kBroken) return false;
        }
        if (received == Progress::kBlocked) return !exchange.processes.is_lost(exchange.claim);
        if (received == Progress::kClosed) return false;
        if (exchange.page()->head_sent) deadline.note_sign(exchange.processes.process_of(exchange.claim));
    }
}

/// True when the process has said that it is done.
bool converse(const Exchange& exchange, ProcessDeadline& deadline) {
    RequestLink& link = *exchange.claim.link;
    for (bool clean = false;;) {
        while (link.send() == Progress::kBlocked) {
            // The process has not read a long body yet.
            pollfd one{link.fd(), POLLOUT, 0};
            if (Coroutine* const self = suspendable()) {
                wait_in_poll(*self, &one, 1, 100);
            } else {
                poll(&one, 1, 100);
            }
            if (EG(exception) || exchange.processes.is_lost(exchange.claim)) return false;
        }
        if (!wait_for_input(link.fd(), deadline.due_ms())) return false;
        if (!pass_all(exchange, deadline, clean)) return clean;
        const pid_t process = exchange.processes.process_of(exchange.claim);
        if (const char* const limit = deadline.exceeded(process)) {
            SLUICE_WARNING(
                "the script of a request, in process %d, has taken longer than %s allows: it is killed",
                process, limit);
            fail_response(exchange.response, 504, {});
            return false;
        }
    }
}

void run_claimed(Worker& worker, ScriptRequest& request, ScriptProcesses& processes, const Claim& claim,
                 zend_object* response, ProcessDeadline& deadline) {
    const pid_t process = processes.process_of(claim);
    const bool clean = converse({worker, processes, claim, response}, deadline);
    processes.release(claim, clean);
    ResponseObject* const page = embedded<ResponseObject>(response);
    if (!page->open || EG(exception)) return;
    // A script that ends because its client has gone says nothing more.
    if (worker.port->is_open(request.message->connection))
        SLUICE_ERROR("The process of a script, pid %d, has ended before its response was complete", process);
    fail_response(response, 502, {});
}

}  // namespace

void choose_script(ScriptRequest& request, const ScriptPlace& place) {
    request.link->put_script(place.pack());
}

void run_in_process(Worker& worker, ScriptRequest& request, zend_object* response) {
    const EndpointSpec& endpoint = *request.endpoint;
    ProcessDeadline deadline(endpoint.limits.http.request_ms, worker.port->limits().kill_ms);
    HandlerTurn turn(worker.turns);
    if (!turn.take(HandlerTurns::share_of_scripts(endpoint.processes_of), endpoint.processes,
                   *request.occasion, request.port, *request.message))
        return;
    std::vector<ScriptProcesses>& pools = worker.identity.script_processes;
    const bool is_awaited = worker.port->is_open(request.message->connection);
    if (is_awaited && endpoint.processes_of < pools.size() && pools[endpoint.processes_of]) {
        ScriptProcesses& processes = pools[endpoint.processes_of];
        if (const Claim claim = claim_process(processes, deadline)) {
            claim.link->take_output(*request.link);
            run_claimed(worker, request, processes, claim, response, deadline);
        }
    }
    if (!EG(exception)) fail_response(response, 503, "no process of this site can take the request");
    turn.give();
}

}  // namespace sluice::php
