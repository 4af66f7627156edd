#pragma once

#include <string>
#include <vector>

#include "php/worker/handlers.h"
#include "php/worker/lifetime.h"
#include "php/worker/observers.h"
#include "server/config/config.h"

namespace sluice::php {

/// The configuration of a Sluice\Server before run(), which its workers serve by.
struct ServerSetup {
    ServerConfig config;
    ProtocolLimits limits;           ///< of endpoints that are given none
    bool reactors_chosen = false;    ///< by the script
    std::vector<Handler> handlers;   ///< one for each of config.endpoints
    std::vector<Callback> services;  ///< one for each of config.services
    std::vector<Callback> on_worker_start;
    std::vector<Callback> own_starts;          ///< of Sluice's own parts, called after on_worker_start
    std::vector<Callback> own_ends;            ///< of the same parts, called when the worker is told to end
    std::vector<std::string> readiness_names;  ///< of the checks
    std::vector<Callback> on_worker_stop;
    Observers observers;
    LifetimeLimits lifetime;
    Callback leak_detector = no_callback();  ///< called between requests, one of which is handled at a time
    bool ran = false;
};

/// Removes each handler from the list before it frees it: destructors may run the application's code.
void release_handlers(ServerSetup& setup);

/// For the garbage collector: what the application has handed over.
void add_references(const ServerSetup& setup, zend_get_gc_buffer* buffer);

}  // namespace sluice::php
