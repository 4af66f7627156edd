#include "php/http/request_processes.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <poll.h>

#include "core/clock.h"
#include "core/log.h"
#include "php/coroutine/waiting.h"
#include "php/http/process_deadline.h"
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

enum class Passed { kOn, kComplete, kBroken };

/// Passes on one command of the process.
Passed pass(Worker& worker, ResponseObject* response, RequestLink& link, std::span<const char> record,
            uint16_t kind) {
    std::optional<DecodedCommand> decoded = read_command(record, kind);
    if (!decoded) return Passed::kBroken;
    Command& command = decoded->command;
    UniqueFd fd;
    if (command::FilePart* const file = command.file()) {
        fd = link.take_file();
        if (!fd) return Passed::kBroken;
        file->fd = fd.get();
    }
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

void tell_of_lost_request() {
    static uint64_t lost = 0;
    if (std::has_single_bit(++lost)) {
        SLUICE_WARNING("a request was refused: it cannot be handed to a process: %s; %llu so far",
                       strerror(errno), static_cast<unsigned long long>(lost));
    }
}

/// Puts the request into the queue that the endpoint's processes take from. False when that is full, and
/// stays so, when no descriptor is left, or when an exception is set.
bool hand_over(Worker& worker, const Endpoint& endpoint, RequestLink& link, const ProcessDeadline& deadline) {
    std::vector<FdChannel>& queues = worker.identity.request_queues;
    const size_t place = endpoint.spec.processes_of;
    UniqueFd own, theirs;
    if (place >= queues.size()) return false;
    if (!RequestLink::create_pair(own, theirs)) {
        tell_of_lost_request();
        return false;
    }
    while (!queues[place].send(0, theirs.get())) {
        const uint64_t due_ms = deadline.due_ms();
        if (errno != EAGAIN) {
            tell_of_lost_request();
            return false;
        }
        if (due_ms && monotonic_ms() >= due_ms) {
            SLUICE_WARNING("%u processes are busy ($processes), and no further request can wait for one",
                           endpoint.spec.processes);
            return false;
        }
        if (!wait_for(queues[place].fd(), POLLOUT, due_ms)) return false;
    }
    link.connect(std::move(own));
    return true;
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
    ProcessDeadline deadline(endpoint.spec.limits.http.request_ms, worker.port->limits().kill_ms);
    if (!hand_over(worker, endpoint, link, deadline)) {
        if (EG(exception)) return;
        fail_response(object, 503, "no process of this site can take the request");
        return;
    }
    for (;;) {
        const bool blocked = link.send() == RequestLink::Progress::kBlocked;
        const RequestLink::Progress received = link.receive();
        uint16_t kind;
        for (std::span<const char> record; !(record = link.next(kind)).empty();) {
            const Passed passed = pass(worker, response, link, record, kind);
            if (passed == Passed::kComplete && response->open) mark_ended(response, worker);
            if (passed != Passed::kBroken) continue;
            if (EG(exception)) {
                link.kill_process();
            } else {
                fail_response(object, 502, {});
            }
            return;
        }
        if (received == RequestLink::Progress::kDone && response->head_sent)
            deadline.note_sign(link.process());
        if (received == RequestLink::Progress::kClosed) {
            if (!response->open) return;
            SLUICE_ERROR("The process of a request, pid %d, has ended before its response was complete",
                         link.process());
            fail_response(object, 502, {});
            return;
        }
        if (received != RequestLink::Progress::kBlocked) continue;
        if (const char* const limit = deadline.exceeded(link.process())) {
            SLUICE_WARNING("the process of a request, pid %d, has taken longer than %s allows: it is killed",
                           link.process(), limit);
            link.kill_process();
            fail_response(object, 504, {});
            return;
        }
        if (!wait_for(link.fd(), static_cast<short>(POLLIN | (blocked ? POLLOUT : 0)), deadline.due_ms())) {
            link.kill_process();
            return;
        }
    }
}

}  // namespace sluice::php
