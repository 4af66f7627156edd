#include "server/reactor/deadlines.h"

namespace sluice {

/// Deadlines move all the time, mostly later: the timer is re-armed only when it would fire too late. When it
/// fires early, the real deadline is checked.
void Deadlines::arm(Connection& connection) {
    uint64_t due_ms = connection.deadline_ms;
    for (const uint64_t other_ms : {uint64_t{connection.write_deadline_ms}, idle_due_ms(connection)}) {
        if (other_ms && (!due_ms || other_ms < due_ms)) due_ms = other_ms;
    }
    if (due_ms && (!connection.armed() || connection.due_ms > due_ms)) wheel_.arm(connection, due_ms);
}

void Deadlines::cancel(Connection& connection) {
    TimerWheel::cancel(connection);
    connection.deadline_ms = connection.write_deadline_ms = 0;
}

uint64_t Deadlines::idle_due_ms(const Connection& connection) const {
    if (connection.phase != Phase::kOpen || connection.awaits_proxy) return 0;
    const uint32_t idle_ms = connection.session->most_idle_ms();
    return idle_ms ? connection.active_ms + idle_ms : 0;
}

}  // namespace sluice
