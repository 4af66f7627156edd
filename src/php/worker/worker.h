#pragma once

#include <memory>

#include "core/timer_wheel.h"
#include "php/coroutine/wait_queue.h"
#include "php/worker/handler_turns.h"
#include "php/worker/handlings.h"
#include "php/worker/message_strings.h"
#include "php/worker/pending_questions.h"
#include "php/worker/pipelines.h"
#include "php/worker/waiting_messages.h"
#include "php/worker/ways_out.h"
#include "server/seam/worker_port.h"

namespace sluice {
struct ServerConfig;
}

namespace sluice::php {

class LeakWatch;
struct Observers;

/// This process as a worker. Exists from launch() until PHP has destroyed the script's last variable, for
/// destructors may send.
struct Worker {
    Worker(std::unique_ptr<WorkerPort> own_port, WorkerIdentity own_identity,
           const ServerConfig& whole_config);
    ~Worker();

    /// The place in this boot's configuration of the endpoint that a message names by number; -1: this boot
    /// does not have it.
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
    Pipelines pipelines;
    WaysOut ways_out;
    WaitQueue until_end{};                 ///< who waits for the process to be told to end
    const Observers* observers = nullptr;  ///< of the server that runs; nullptr before and afterwards
    LeakWatch* leak_watch = nullptr;       ///< nullptr: nobody looks for leaks
    const Occasion* occasion = nullptr;    ///< of the handler that runs outside of coroutines
    uint64_t handled = 0;                  ///< requests and messages
    bool asks_for_successor = false;       ///< by Worker::replace()
    unsigned handlers = 0;                 ///< begun and not ended; a fatal error ends none
    bool exited = false;                   ///< exit() was called in a handler
    bool forked = false;                   ///< the application forked this process: it is no worker
};

/// nullptr outside a worker.
Worker* current_worker();

/// Whether this process serves scripts, each in a request of PHP's own.
bool serves_scripts();

/// The worker; outside of one throws ServerException and returns nullptr.
Worker* require_worker();

/// Makes this process a worker for the rest of its life.
void enter_worker(std::unique_ptr<WorkerPort> port, WorkerIdentity identity, const ServerConfig& config);

/// When PHP is through with the script: gives back what can be given back, and leaves the server.
void leave_worker();

/// Whether this was a process for one request, and has left the server.
bool has_handled_its_request();

/// Whether exit() in a handler or a fatal error ends this process. What was begun must then look unfinished
/// to the server, which answers for the worker.
bool is_dying();

}  // namespace sluice::php
