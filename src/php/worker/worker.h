#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/timer_wheel.h"
#include "php/worker/asking.h"
#include "php/worker/handlings.h"
#include "php/worker/slot_strings.h"
#include "php/worker/string_allocator.h"
#include "php/zend/php_api.h"
#include "protocol/http/content_encoder.h"
#include "protocol/http/form.h"
#include "protocol/http/forwarded.h"
#include "server/seam/launch_result.h"

namespace sluice {
struct Limits;
}

namespace sluice::php {

/// This process as a worker. It exists from launch() until PHP has destroyed the script's last variable, for
/// destructors may send as well.
struct Worker {
    Worker(LaunchResult&& launched, const Limits& limits);

    std::unique_ptr<WorkerPort> port;
    WorkerIdentity identity;
    SlotStrings slots;
    http::FormLimits form_limits;
    http::EncoderPool encoders;
    TimerWheel timers;
    unsigned active_timers = 0;
    unsigned open_responses = 0;
    zend_object* object = nullptr;  ///< Sluice\Worker, once it was asked for; one reference
    Handlings handlings;
    Asked asked;
    /// Connections whose handler waits, and what has come from them meanwhile: it is handled in order.
    std::unordered_map<ConnectionId, std::deque<Inbound>> waiting;
    size_t waiting_messages = 0;
    CoroutineCounts published_counts;
    std::vector<http::TrustedProxies> proxies;  ///< of each of the configuration's endpoints
    std::vector<std::string> protocols;         ///< all WebSocket sub-protocols of this boot
    unsigned handlers = 0;                      ///< that have begun and not ended; a fatal error ends none
    bool exited = false;                        ///< exit() was called in a handler
};

/// nullptr outside a worker.
Worker* current_worker();

/// The same, for methods that need one: throws ServerException and returns nullptr outside.
Worker* require_worker();

/// Makes this process a worker for the rest of its life.
void enter_worker(LaunchResult&& launched, const Limits& limits);

/// Before PHP destroys all objects.
void release_worker_object();

/// PHP is through with the script: gives back what can be given back, and leaves the server.
void leave_worker();

/// Base mode's memory; outlives every worker of the process.
MessageAllocator* string_allocator();

/// Whether this process is being torn down by exit() in a handler or by a fatal error: what was begun must
/// then look unfinished to the server, which answers for it.
bool is_dying();

}  // namespace sluice::php
