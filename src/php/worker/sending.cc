#include "php/worker/sending.h"

#include <algorithm>

#include "base/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/waiting.h"
#include "php/worker/asking.h"
#include "php/worker/worker.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/config/limits.h"

namespace sluice::php {

namespace {

/// The notice that there is room may get lost: after this long a waiting coroutine looks for itself.
constexpr uint64_t kLookAgainMs = 1000;

enum class Waited { kRoom, kClosed, kNoCoroutine, kInterrupted };

bool is_over(size_t queued, size_t bytes, uint64_t limit) {
    return queued > 0 && queued + bytes > limit;
}

/// Until the low-water mark is reached, if the high one is passed. It has no deadline of its own: a client
/// that takes nothing for Limits::write_ms is closed by its reactor.
Waited wait_until_low(Worker& worker, ConnectionId id, size_t bytes) {
    const Limits& limits = worker.port->limits();
    if (!is_over(worker.port->queued_bytes(id), bytes, limits.high_water())) return Waited::kRoom;
    Coroutine* self = suspendable();
    if (!self) return EG(exception) ? Waited::kInterrupted : Waited::kNoCoroutine;
    const uint64_t beside = limits.queued_bytes > bytes ? limits.queued_bytes - bytes : 0;
    const uint64_t low = std::min({limits.low_water_bytes, limits.high_water(), beside});
    const uint64_t look_again_ms = std::min<uint64_t>(limits.write_ms, kLookAgainMs);
    for (;;) {
        const Wake wake = wait_for_room(worker, *self, id, low, monotonic_ms() + look_again_ms);
        if (wake == Wake::kInterrupted) return Waited::kInterrupted;
        if (!worker.port->is_open(id)) return Waited::kClosed;
        // Others may have been woken, too.
        const size_t queued = worker.port->queued_bytes(id);
        if (wake == Wake::kWoken ? !is_over(queued, bytes, limits.queued_bytes) : queued <= low)
            return Waited::kRoom;
    }
}

Delivery close_slow(Worker& worker, ConnectionId id) {
    Command close;
    close.kind = CommandKind::kClose;
    close.connection = id;
    close.code = websocket::close_code::kTryAgainLater;
    close.body = "the client does not read";
    worker.port->submit(close);
    return Delivery::kClosed;
}

}  // namespace

bool wait_for_way(Worker& worker, const Command& command) {
    if (worker.port->has_room(command)) return true;
    Coroutine* self = suspendable();
    if (!self) return !EG(exception);
    Repeated repeated;
    const uint64_t due_ms = monotonic_ms() + worker.port->limits().write_ms;
    while (!worker.port->has_room(command) && monotonic_ms() < due_ms) {
        if (!repeated.pause(*self)) return false;
    }
    return true;
}

Delivery send_message(Worker& worker, const Command& command) {
    const ConnectionId id = command.connection;
    if (!worker.port->is_open(id)) return Delivery::kClosed;
    const SlowClient policy = worker.port->slow_client(id);
    if (policy == SlowClient::kWait) {
        switch (wait_until_low(worker, id, command.body.size())) {
            case Waited::kRoom:
            case Waited::kNoCoroutine: break;
            case Waited::kClosed:
            case Waited::kInterrupted: return Delivery::kClosed;
        }
        if (!wait_for_way(worker, command)) return Delivery::kClosed;
    } else if (policy == SlowClient::kClose && is_over(worker.port->queued_bytes(id), command.body.size(),
                                                       worker.port->limits().queued_bytes)) {
        return close_slow(worker, id);
    }
    return worker.port->submit(command);
}

bool wait_to_write(Worker& worker, ConnectionId id, size_t bytes) {
    return wait_until_low(worker, id, bytes) != Waited::kInterrupted;
}

}  // namespace sluice::php
