#pragma once

#include <cstdint>

#include "core/timer_wheel.h"
#include "server/reactor/connection.h"

namespace sluice {

/// The deadlines of connections: their session's, that of bytes stuck on their way to the client, and the
/// idle timeout.
class Deadlines {
  public:
    explicit Deadlines(uint64_t now_ms) : wheel_(now_ms) {}

    /// Sets the session's deadline; 0: none.
    void set(Connection& connection, uint64_t at_ms) {
        connection.deadline_ms = at_ms;
        arm(connection);
    }
    /// Sets the deadline of queued bytes; 0: none.
    void set_write(Connection& connection, uint64_t at_ms) {
        connection.write_deadline_ms = at_ms;
        arm(connection);
    }
    /// Call it when one of the connection's deadlines has changed.
    void arm(Connection& connection);
    void cancel(Connection& connection);

    /// When its idle timeout passes; 0: it has none.
    uint64_t idle_due_ms(const Connection& connection) const;

    /// The next connection whose deadline may have passed; nullptr: there are no more. The caller must arm()
    /// it again.
    Connection* next_due(uint64_t now_ms) { return static_cast<Connection*>(wheel_.expire(now_ms)); }
    /// How long the reactor may sleep.
    uint64_t wait_ms(uint64_t now_ms, uint64_t most_ms) { return wheel_.wait_ms(now_ms, most_ms); }

  private:
    TimerWheel wheel_;
};

}  // namespace sluice
