#pragma once

#include <memory>

#include "core/timer_wheel.h"
#include "php/coroutine/wait_queue.h"
#include "php/worker/handler_turns.h"
#include "php/worker/handlings.h"
#include "php/worker/message_strings.h"
#include "php/worker/pending_questions.h"
#include "php/worker/waiting_messages.h"
#include "php/worker/ways_out.h"
#include "server/seam/worker_port.h"

namespace sluice {
struct ServerConfig;
}

namespace sluice::php {

class LeakWatch;
struct Observers;

/// This process as a worker. It exists from launch() until PHP has destroyed the script's last variable, for
/// destructors may send as well.
struct Worker {
    Worker(std::unique_ptr<WorkerPort> own_port, WorkerIdentity own_identity,
           const ServerConfig& whole_config);
    ~Worker();

    /// The place in the configuration of what a message's `endpoint` means; -1 when this boot of the script
    /// has no such endpoint.
    int endpoint_index(uint16_t endpoint) const;

    std::unique_ptr<WorkerPort> port;
    WorkerIdentity identity;
    std::unique_ptr<const ServerConfig> config;
    MessageStrings strings;
    TimerWheel timers;
    unsigned active_timers = 0;
    unsigned open_responses = 0;
    Handlings handlings;
    HandlerTurns turns;
    PendingQuestions questions;
    WaitingMessages waiting;
    WaysOut ways_out;
    WaitQueue until_end{};  ///< who waits for it to be told to end
    const Observers* observers = nullptr;  ///< of the server that it runs; nullptr before and afterwards
    LeakWatch* leak_watch = nullptr;       ///< where leaks are looked for
    const Occasion* occasion = nullptr;    ///< of the handler that runs, without coroutines
    uint64_t handled = 0;                  ///< requests and messages
    unsigned handlers = 0;                 ///< that have begun and not ended; a fatal error ends none
    bool exited = false;                   ///< exit() was called in a handler
    bool forked = false;                   ///< by the application from the worker, and is none itself
};

/// nullptr outside a worker.
Worker* current_worker();

/// The worker, for methods that need one: throws ServerException and returns nullptr outside.
Worker* require_worker();

/// Makes this process a worker for the rest of its life.
void enter_worker(std::unique_ptr<WorkerPort> port, WorkerIdentity identity, const ServerConfig& config);

/// PHP is through with the script: gives back what can be given back, and leaves the server.
void leave_worker();

/// Whether this process is being torn down by exit() in a handler or by a fatal error: what was begun must
/// then look unfinished to the server, which answers for it.
bool is_dying();

}  // namespace sluice::php
