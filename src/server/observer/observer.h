#pragma once

#include <memory>
#include <vector>

#include "io/control_channel.h"
#include "server/config/config.h"
#include "server/config/endpoints.h"
#include "server/observer/shared_structures.h"
#include "server/observer/trace_exporter.h"
#include "server/seam/reload_report.h"
#include "server/seam/service_report.h"
#include "server/seam/shared_layout.h"
#include "shared/metric_registry.h"
#include "shared/named_memories.h"

namespace sluice {

/// What the functions of the admin listener look at. It lives in a process of its own, which neither runs PHP
/// nor has clients of the server: it answers whatever those do.
class Observer {
  public:
    struct Wiring {
        SharedLayout layout;
        ServerConfig config;                         ///< of the first boot
        std::shared_ptr<const Endpoints> endpoints;  ///< until the master sends others
        ControlChannel master;
        MetricRegistry metrics;                     ///< of the application
        std::vector<NamedMemories::Item> memories;  ///< of the application, until the master sends others
        ReloadReport reloads;                       ///< until the master sends another one
        ServiceReport services;                     ///< until the master sends another one
    };

    explicit Observer(Wiring wiring)
        : wiring_(std::move(wiring)),
          exporter_(wiring_.layout, wiring_.config.tracing, wiring_.endpoints),
          structures_(std::move(wiring_.memories)) {}

    const SharedLayout& layout() const { return wiring_.layout; }
    const ServerConfig& config() const { return wiring_.config; }
    const MetricRegistry& metrics() const { return wiring_.metrics; }
    const SharedStructures& structures() const { return structures_; }
    ControlChannel& master() { return wiring_.master; }
    /// By the numbers that cells and messages have.
    const Endpoints& endpoints() const { return *wiring_.endpoints; }
    const ReloadReport& reloads() const { return wiring_.reloads; }
    const ServiceReport& services() const { return wiring_.services; }

    /// Takes what the master has sent. False: the master is gone.
    bool hear_master();

  private:
    Wiring wiring_;
    TraceExporter exporter_;
    SharedStructures structures_;
};

}  // namespace sluice
