// Master: as many workers as there is work for.
#include "core/clock.h"
#include "core/log.h"
#include "server/master/master.h"

namespace sluice {

void Master::look_at_load() {
    // During a reload there are two of each; it ends with as many as it has begun with.
    if (stop_ != Stop::kNo || pending_generation_ != 0 || generations_.size() != 1) {
        range_.begin(monotonic_ms());
        return;
    }
    unsigned ready = 0, busy = 0;
    bool any_waits = false;
    for (unsigned slot : workers_of(current_generation_)) {
        const Worker& worker = workers_[slot];
        if (is_service(slot) || worker.state != WorkerState::kReady || worker.leaves) continue;
        const SharedLayout::Load load = layout_.load_of(slot);
        ++ready;
        busy += load.is_busy;
        any_waits = any_waits || load.has_waiting;
    }
    const unsigned before = range_.wanted();
    if (!range_.look(ready, busy, any_waits, monotonic_ms())) return;
    if (range_.wanted() > before) {
        SLUICE_INFO("messages wait, and all %u workers are busy: another one is added", before);
        start_worker(*current(), before);
    } else {
        remove_worker();
    }
}

/// The last instance.
void Master::remove_worker() {
    const unsigned instance = range_.wanted();
    SLUICE_INFO("%u workers are enough: worker %u is let go", instance, instance);
    instances_[instance].start_at_ms = 0;
    for (unsigned slot : workers_of(current_generation_)) {
        const Worker& worker = workers_[slot];
        if (worker.instance == instance && worker.state == WorkerState::kReady) let_go(slot);
    }
}

}  // namespace sluice
