#include "server/master/launch.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "core/log.h"
#include "core/log_format.h"
#include "io/process_report.h"
#include "io/put_at_once.h"
#include "server/config/config.h"
#include "server/master/boot.h"
#include "server/master/generation.h"
#include "server/master/master.h"
#include "shared/metric_registry.h"

namespace sluice {

LaunchResult launch(const ServerConfig& config, const LaunchHooks& hooks) {
    Boot boot = take_boot();
    // Also when the script has no metrics: its workers may declare some, and the observer reads them.
    if (!MetricRegistry::of_this_process()) {
        LaunchResult failed;
        failed.error = std::string("Cannot get memory for metrics: ") + strerror(errno);
        return failed;
    }
    if (!boot.control) {
        Master master(config, hooks);
        return master.serve();
    }
    log::put_lines_by(put_at_once);
    log::set_format(config.operations.logs_json, static_cast<log::Level>(config.operations.least_level));
    log::open_file(config.log_file);
    ProcessReport::begin(config.operations.crash_folder, nullptr);
    if (config.operations.umask >= 0) umask(static_cast<mode_t>(config.operations.umask));
    if (const auto& identity = config.operations.identity) {
        if (!identity->become()) {
            LaunchResult failed;
            failed.error = "Cannot become the user " + identity->user + ": " + strerror(errno);
            return failed;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // or the end of its channel to the master tells
    }
    GenerationWiring wiring;
    wiring.control = ControlChannel(std::move(boot.control));
    wiring.layout = SharedLayout::attach(std::move(boot.memory), boot.shape);
    wiring.generation = boot.generation;
    wiring.worker_doorbells = std::move(boot.worker_doorbells);
    wiring.reactor_doorbells = std::move(boot.reactor_doorbells);
    if (!wiring.layout) {
        LaunchResult failed;
        failed.error = "Cannot map the server's shared memory";
        return failed;
    }
    log::share(wiring.layout.server().shared_log);
    return serve_generation(std::move(wiring), config, hooks);
}

}  // namespace sluice
