#include "php/worker/ask_reactors.h"

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/deadlines.h"
#include "php/worker/patience.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"

namespace sluice::php {

namespace {

/// Sends the question to all reactors that it concerns. False when not all were reached, or an exception is
/// set.
bool put(Worker& worker, const Command& question, PendingQuestion& pending, uint64_t due_ms) {
    const uint64_t now_ms = monotonic_ms();
    Patience patience(worker, due_ms > now_ms ? due_ms - now_ms : 0);
    Reach reach;
    for (;;) {
        const unsigned before = reach.count;
        const Submitted submitted =
            patience.may_try(question) ? worker.port->submit(question, reach) : Submitted::kNoRoom;
        // Some reactors may answer while others have no room yet.
        pending.left += reach.count - before;
        if (submitted != Submitted::kNoRoom) return true;
        if (patience.pause(question) != Patience::Then::kTryAgain) return false;
    }
}

/// Puts the question and waits for all answers.
Wake ask(Worker& worker, Coroutine& self, PendingQuestion& pending, Command& command, uint64_t due_ms) {
    const uint32_t number = worker.questions.add(pending);
    pending.coroutine = &self;
    std::visit(
        [number](auto& what) {
            if constexpr (requires { what.question; }) what.question = number;
        },
        command.what);
    pending.left = 1;  // counts the sending itself
    Wake wake = Wake::kWoken;
    if (put(worker, command, pending, due_ms)) {
        --pending.left;
    } else {
        wake = EG(exception) ? Wake::kInterrupted : Wake::kTimedOut;
    }
    while (pending.left > 0 && wake == Wake::kWoken)
        wake = scheduler()->suspend(self, due_ms);
    worker.questions.remove(number);
    return wake;
}

/// nullptr when it has thrown.
Coroutine* require_coroutine() {
    Coroutine* self = suspendable();
    if (!self && !EG(exception)) {
        throw_server_exception(
            "This call waits for reactors, which only a coroutine can do: call it in a handler, a timer, a "
            "callback of the worker or a spawned coroutine, with sluice.coroutines on");
    }
    return self;
}

/// Whether all answers have come; throws when not.
bool is_answered(Wake wake, double timeout_seconds, const PendingQuestion& pending) {
    if (wake == Wake::kInterrupted) return false;
    if (pending.left == 0) return true;
    zend_throw_exception_ex(timeout_exception_class, 0, "%u reactors have not answered within %g s",
                            pending.left, timeout_seconds);
    return false;
}

}  // namespace

bool ask_subscribers(Worker& worker, std::string_view topic, double timeout_seconds, uint64_t& count) {
    Coroutine* self = require_coroutine();
    if (!self) return false;
    PendingQuestion pending{PendingQuestion::About::kSubscribers};
    Command command{.what = command::CountSubscribers{.topic = topic}};
    const Wake wake = ask(worker, *self, pending, command, deadline_in(timeout_seconds));
    count = pending.count;
    return is_answered(wake, timeout_seconds, pending);
}

bool ask_subscriber_ids(Worker& worker, std::string_view topic, uint16_t most, ConnectionId after,
                        double timeout_seconds, zval* ids) {
    Coroutine* self = require_coroutine();
    if (!self) return false;
    PendingQuestion pending{.about = PendingQuestion::About::kSubscriberIds, .list = ids};
    Command command{.what = command::ListSubscribers{.topic = topic, .after = after, .most = most}};
    const Wake wake = ask(worker, *self, pending, command, deadline_in(timeout_seconds));
    return is_answered(wake, timeout_seconds, pending);
}

bool ask_topics(Worker& worker, ConnectionId id, TopicMatch match, double timeout_seconds, zval* names) {
    Coroutine* self = require_coroutine();
    if (!self) return false;
    PendingQuestion pending{PendingQuestion::About::kTopics, match, names};
    Command command{.what = command::ListTopics{}, .connection = id};
    const Wake wake = ask(worker, *self, pending, command, deadline_in(timeout_seconds));
    return is_answered(wake, timeout_seconds, pending);
}

bool ask_attach(Worker& worker, ConnectionId id, std::string_view data, double timeout_seconds,
                Delivery& delivery) {
    Coroutine* self = require_coroutine();
    if (!self) return false;
    PendingQuestion pending{PendingQuestion::About::kAttach};
    Command command{.what = command::Attach{}, .connection = id, .payload = data};
    const Wake wake = ask(worker, *self, pending, command, deadline_in(timeout_seconds));
    switch (pending.attached) {
        case AttachAnswer::kAttached: delivery = Delivery::kSent; break;
        case AttachAnswer::kNoRoom: delivery = Delivery::kDropped; break;
        default: delivery = Delivery::kClosed;
    }
    return is_answered(wake, timeout_seconds, pending);
}

Wake wait_for_room(Worker& worker, Coroutine& self, ConnectionId id, uint64_t most_bytes, uint64_t due_ms) {
    PendingQuestion pending{PendingQuestion::About::kRoom};
    Command command{.what = command::AwaitRoom{.most_bytes = most_bytes}, .connection = id};
    return ask(worker, self, pending, command, due_ms);
}

}  // namespace sluice::php
