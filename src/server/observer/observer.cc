#include "server/observer/observer.h"

#include "core/log.h"
#include "core/wire.h"
#include "server/config/manifest.h"
#include "server/seam/control.h"

namespace sluice {

bool Observer::hear_master() {
    while (auto message = wiring_.master.receive()) {
        WireReader reader(message->bytes);
        switch (reader.get<Control>()) {
            case Control::kEndpoints:
                reader.get<bool>();
                wiring_.endpoints = read_endpoints(reader);
                exporter_.set_endpoints(wiring_.endpoints);
                break;
            case Control::kNamedMemories: {
                std::vector<NamedMemories::Item> memories;
                for (UniqueFd& fd : message->fds)
                    memories.push_back({reader.get_string(), std::move(fd)});
                structures_ = SharedStructures(std::move(memories));
                break;
            }
            case Control::kReopenLogs: log::reopen(); break;
            case Control::kServices: wiring_.services = ServiceReport::read(reader); break;
            case Control::kReloads: wiring_.reloads = ReloadReport::read(reader); break;
            default: break;
        }
    }
    return !wiring_.master.eof();
}

}  // namespace sluice
