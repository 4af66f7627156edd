#include "server/master/launch.h"

#include "core/log.h"
#include "io/put_at_once.h"
#include "server/config/config.h"
#include "server/master/boot.h"
#include "server/master/generation.h"
#include "server/master/master.h"

namespace sluice {

LaunchResult launch(const ServerConfig& config, const LaunchHooks& hooks) {
    Boot boot = take_boot();
    if (!boot.control) {
        Master master(config, hooks);
        return master.serve();
    }
    log::put_lines_by(put_at_once);
    log::open_file(config.log_file);
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
    return serve_generation(std::move(wiring), config, hooks);
}

}  // namespace sluice
