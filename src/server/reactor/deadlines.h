#pragma once

#include <cstdint>

#include "core/timer_wheel.h"
#include "server/reactor/connection.h"

namespace sluice {

/// When connections are to be looked at: for their session's deadline, for what is stuck on its way to the
/// client, and for silence.
class Deadlines {
  public:
    explicit Deadlines(uint64_t now_ms) : wheel_(now_ms) {}

    /// Its session's; 0: none.
    void set(Connection& connection, uint64_t at_ms) {
        connection.deadline_ms = at_ms;
        arm(connection);
    }
    /// That of what waits to be written; 0: none.
    void set_write(Connection& connection, uint64_t at_ms) {
        connection.write_deadline_ms = at_ms;
        arm(connection);
    }
    /// One of its times has changed.
    void arm(Connection& connection);
    void cancel(Connection& connection);

    /// When it will have been silent for too long; 0: that does not matter.
    uint64_t idle_due_ms(const Connection& connection) const;

    /// The next connection that may have a time behind it; nullptr: none has. Who gets it has to arm() it
    /// again.
    Connection* next_due(uint64_t now_ms) { return static_cast<Connection*>(wheel_.expire(now_ms)); }
    /// How long to sleep at most.
    uint64_t wait_ms(uint64_t now_ms, uint64_t most_ms) { return wheel_.wait_ms(now_ms, most_ms); }

  private:
    TimerWheel wheel_;
};

}  // namespace sluice
