#pragma once

#include <cstdint>

namespace sluice {

class Admission;
class AddressLimits;
class ConnectionTable;
class Deadlines;
class Questions;
class ServeList;
class SessionHost;
class Workers;
struct Commons;
struct Connection;
enum class Phase : uint8_t;

/// Ends connections: in order, at once, by a deadline, or with the server.
class ConnectionLife {
  public:
    struct Wiring {
        Commons& commons;
        SessionHost& host;
        ConnectionTable& table;
        ServeList& serve_list;
        Admission& admission;
        Deadlines& deadlines;
        Workers& workers;
        Questions& questions;
        const AddressLimits& addresses;
    };
    explicit ConnectionLife(const Wiring& wiring) : to_(wiring) {}

    /// Writes the queue, then closes. Discards input from now on.
    void finish(Connection& connection);
    /// Call it when the queue is written: shuts down our side.
    void linger(Connection& connection);
    /// Closes the socket at once. The object stays, and is settled in a later turn.
    void abort(Connection& connection);
    /// Finishes a closed connection: tells its worker, waits for its messages to finish, then destroys
    /// it.
    void settle(Connection& connection);
    /// Removes the connection without telling a worker.
    void destroy(Connection& connection);

    /// The server drains: ends the connection once what has begun is answered.
    void stop(Connection& connection);
    /// One of the connection's deadlines may have passed.
    void expired(Connection& connection);

  private:
    void move_to(Connection& connection, Phase phase);
    void close_socket(Connection& connection);

    const Wiring to_;
};

}  // namespace sluice
