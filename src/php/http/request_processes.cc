#include "php/http/request_processes.h"

#include <csignal>
#include <poll.h>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/waiting.h"
#include "php/http/response_class.h"
#include "php/http/response_object.h"
#include "php/http/response_sending.h"
#include "php/worker/handler_calls.h"
#include "php/worker/sending.h"
#include "php/zend/objects.h"
#include "server/config/limits.h"
#include "server/seam/records.h"
#include "server/seam/request_link.h"

namespace sluice::php {

namespace {

/// Reactors answer clients whose requests take too long, and cancel the handler. A client that has gone has
/// no reactor that would: then this much later it is done here.
constexpr uint64_t kOverdueMs = 1000;

enum class Passed { kOn, kComplete, kBroken };

/// Passes on one command of the process.
Passed pass(Worker& worker, ResponseObject* response, std::span<const char> record, uint16_t kind) {
    const std::optional<DecodedCommand> decoded = read_command(record, kind);
    if (!decoded || decoded->command.file()) return Passed::kBroken;
    const Command& command = decoded->command;
    const auto* const head = command.as<command::Respond>();
    const auto* const part = command.as<command::BodyPart>();
    if (!head && !part) {
        submit(worker, command);
        return EG(exception) ? Passed::kBroken : Passed::kOn;
    }
    if (command.connection != response->connection ||
        (head ? head->request : part->request) != response->request || !response->open || response->abandoned)
        return Passed::kBroken;
    const SendLimits& limits = worker.port->sending(command.connection);
    if (part && !wait_for_client(worker, command.connection, command.payload.size(), limits.high_water()))
        return Passed::kBroken;
    const Delivery delivery = submit(worker, command, head ? kSubmitWaitMs : limits.write_ms);
    if (EG(exception) || delivery == Delivery::kClosed || delivery == Delivery::kDropped)
        return Passed::kBroken;
    response->head_sent = true;
    return (head ? head->last : part->last) ? Passed::kComplete : Passed::kOn;
}

/// Suspends until `fd` has one of `events`, or the time has come; 0: it never comes. False when an exception
/// is set.
bool wait_for(int fd, short events, uint64_t due_ms) {
    const uint64_t now_ms = monotonic_ms();
    const int timeout_ms = !due_ms ? -1 : due_ms > now_ms ? static_cast<int>(due_ms - now_ms) : 0;
    pollfd one{fd, events, 0};
    if (Coroutine* const self = suspendable()) {
        wait_in_poll(*self, &one, 1, timeout_ms);
    } else {
        poll(&one, 1, timeout_ms);
    }
    return !EG(exception);
}

/// Kills a process whose work nobody wants any more.
void end_process(int pid) {
    if (pid > 0) kill(pid, SIGKILL);
}

}  // namespace

RequestLink* link_for(const Inbound& message) {
    auto* const link = new RequestLink;
    link->put(message);
    return link;
}

void release_link(RequestLink* link) {
    delete link;
}

void handle_in_process(Worker& worker, const Endpoint& endpoint, zend_object* object, RequestLink& link) {
    ResponseObject* const response = embedded<ResponseObject>(object);
    const size_t place = endpoint.spec.processes_of;
    std::vector<FdChannel>& queues = worker.identity.request_queues;
    {
        UniqueFd own, theirs;
        if (place >= queues.size() || !RequestLink::create_pair(own, theirs) ||
            !queues[place].send(0, theirs.get())) {
            SLUICE_WARNING("%u processes are busy ($processes), and no further request can wait for one",
                           endpoint.spec.processes);
            fail_response(object, 503, "all processes of this site are busy");
            return;
        }
        link.connect(std::move(own));
    }
    int pid = 0;
    const uint64_t request_ms = endpoint.spec.limits.http.request_ms;
    uint64_t due_ms = request_ms ? monotonic_ms() + request_ms + kOverdueMs : 0;
    for (;;) {
        const bool blocked = link.send() == RequestLink::Progress::kBlocked;
        const RequestLink::Progress received = link.receive();
        uint16_t kind;
        for (std::span<const char> record; !(record = link.next(kind)).empty();) {
            if (kind == kProcessRecord) {
                pid = RequestLink::process_of(record);
                continue;
            }
            const Passed passed = pass(worker, response, record, kind);
            if (passed == Passed::kOn) continue;
            if (EG(exception)) end_process(pid);
            if (passed == Passed::kComplete && response->open) mark_ended(response, worker);
            if (passed == Passed::kBroken && !EG(exception)) fail_response(object, 502, {});
            return;
        }
        if (received == RequestLink::Progress::kClosed) {
            SLUICE_ERROR("The process of a request, pid %d, has ended before its response was complete", pid);
            fail_response(object, 502, {});
            return;
        }
        if (received != RequestLink::Progress::kBlocked) continue;
        if (response->head_sent) due_ms = 0;
        if (due_ms && monotonic_ms() >= due_ms) {
            SLUICE_WARNING(
                "the process of a request, pid %d, has taken longer than requestSeconds allows: it is killed",
                pid);
            end_process(pid);
            fail_response(object, 504, {});
            return;
        }
        if (!wait_for(link.fd(), static_cast<short>(POLLIN | (blocked ? POLLOUT : 0)), due_ms)) {
            end_process(pid);
            return;
        }
    }
}

}  // namespace sluice::php
