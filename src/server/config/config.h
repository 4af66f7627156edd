#pragma once

#include <string>
#include <vector>

#include "server/config/admin_spec.h"
#include "server/config/canary_spec.h"
#include "server/config/choices.h"
#include "server/config/endpoint_spec.h"
#include "server/config/limits.h"
#include "server/config/operations.h"
#include "server/config/service_spec.h"
#include "server/config/tracing_spec.h"
#include "server/config/watching.h"

namespace sluice {

/// The configuration that one boot of the script has asked for.
struct ServerConfig {
    Mode mode = Mode::kProcess;
    unsigned workers = 1;        ///< at most
    unsigned least_workers = 0;  ///< 0: always as many as that
    unsigned reactors = 1;
    Limits limits;
    std::string pid_file;
    std::string log_file;
    std::string temporary_folder;  ///< for bodies of requests
    std::string script;            ///< for process titles and the banner
    Operations operations;
    Watching watching;
    CanarySpec canary;
    AdminSpec admin;
    TracingSpec tracing;
    std::vector<EndpointSpec> endpoints;
    std::vector<ServiceSpec> services;

    /// Of all services together.
    unsigned service_processes() const {
        unsigned processes = 0;
        for (const ServiceSpec& service : services)
            processes += service.processes;
        return processes;
    }
    /// Slots that they need: pools of two generations overlap.
    unsigned service_slots() const {
        unsigned slots = service_processes();
        for (const ServiceSpec& service : services)
            slots += service.is_pool ? service.processes : 0;
        return slots;
    }
};

}  // namespace sluice
