#include "php/worker/sending.h"

#include <algorithm>

#include "core/clock.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/worker/ask_reactors.h"
#include "php/worker/patience.h"
#include "php/worker/worker.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/config/limits.h"

namespace sluice::php {

namespace {

/// The notice of room may get lost: a waiting coroutine checks by itself after this time.
constexpr uint64_t kLookAgainMs = 1000;
/// Without coroutines, how long the server is served before somebody looks again.
constexpr int kServedMs = 1;

enum class Waited { kRoom, kClosed, kNoCoroutine, kInterrupted };

bool is_over(size_t queued, size_t bytes, uint64_t limit) {
    return queued > 0 && queued + bytes > limit;
}

/// Waits until the low-water mark is reached, if `most_queued_bytes` is exceeded.
Waited wait_until_low(Worker& worker, ConnectionId id, size_t bytes, uint64_t most_queued_bytes) {
    const SendLimits& limits = worker.port->sending(id);
    if (!is_over(worker.port->queued_bytes(id), bytes, most_queued_bytes)) return Waited::kRoom;
    Coroutine* self = suspendable();
    if (!self) return EG(exception) ? Waited::kInterrupted : Waited::kNoCoroutine;
    const uint64_t beside = limits.queued_bytes > bytes ? limits.queued_bytes - bytes : 0;
    const uint64_t low = std::min({limits.low_water_bytes, limits.high_water(), beside});
    const uint64_t look_again_ms = std::min<uint64_t>(limits.write_ms, kLookAgainMs);
    for (;;) {
        const Wake wake = wait_for_room(worker, *self, id, low, monotonic_ms() + look_again_ms);
        if (wake == Wake::kInterrupted) return Waited::kInterrupted;
        if (!worker.port->is_open(id)) return Waited::kClosed;
        // Other coroutines may have been woken and have sent.
        const size_t queued = worker.port->queued_bytes(id);
        if (wake == Wake::kWoken ? !is_over(queued, bytes, limits.queued_bytes) : queued <= low)
            return Waited::kRoom;
    }
}

Delivery close_slow(Worker& worker, ConnectionId id) {
    submit_surely(worker, {.what = command::Close{websocket::close_code::kTryAgainLater},
                           .connection = id,
                           .payload = "the client does not read"});
    return Delivery::kClosed;
}

}  // namespace

Delivery submit(Worker& worker, const Command& command, uint64_t most_wait_ms) {
    Reach reach;
    Patience patience(worker, most_wait_ms);
    for (;;) {
        const Submitted submitted =
            patience.may_try(command) ? worker.port->submit(command, reach) : Submitted::kNoRoom;
        if (submitted != Submitted::kNoRoom) return static_cast<Delivery>(submitted);
        switch (patience.pause(command)) {
            case Patience::Then::kTryAgain: break;
            case Patience::Then::kInterrupted: return Delivery::kClosed;
            case Patience::Then::kGiveUp: patience.tell_of_loss(); return Delivery::kDropped;
            case Patience::Then::kNobodyWaits: return Delivery::kDropped;
        }
    }
}

Delivery submit_surely(Worker& worker, const Command& command) {
    return static_cast<Delivery>(worker.port->submit_surely(command));
}

Delivery send_message(Worker& worker, const Command& command) {
    const ConnectionId id = command.connection;
    if (!worker.port->is_open(id)) return Delivery::kClosed;
    const SendLimits& limits = worker.port->sending(id);
    const SlowClient policy = worker.port->slow_client(id);
    if (policy == SlowClient::kWait) {
        switch (wait_until_low(worker, id, command.payload.size(), limits.high_water())) {
            case Waited::kRoom: return submit(worker, command, limits.write_ms);
            case Waited::kNoCoroutine: break;
            case Waited::kClosed:
            case Waited::kInterrupted: return Delivery::kClosed;
        }
    } else if (policy == SlowClient::kClose &&
               is_over(worker.port->queued_bytes(id), command.payload.size(), limits.queued_bytes)) {
        return close_slow(worker, id);
    }
    return submit(worker, command);
}

bool wait_for_client(Worker& worker, ConnectionId id, size_t bytes, uint64_t most_queued_bytes) {
    if (scheduler()) return wait_until_low(worker, id, bytes, most_queued_bytes) != Waited::kInterrupted;
    while (worker.port->queued_bytes(id) > worker.port->sending(id).queued_bytes)
        worker.port->wait_without_messages(kServedMs);
    return true;
}

}  // namespace sluice::php
