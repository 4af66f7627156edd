#include "server/observer/observer_process.h"

#include <unistd.h>

#include "core/log.h"
#include "server/observer/admin_server.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace sluice {

void serve_observer(ObserverProcessWiring wiring) {
    log::set_speaker("observer");
    {
        Observer observer(std::move(wiring.observer));
        AdminServer(observer, std::move(wiring.listener)).serve();
    }
#if defined(__SANITIZE_ADDRESS__)
    if (__lsan_do_recoverable_leak_check() != 0) _exit(86);
#endif
    // Not exit(): see serve_reactors().
    _exit(0);
}

}  // namespace sluice
