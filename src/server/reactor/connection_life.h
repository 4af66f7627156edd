#pragma once

#include <cstdint>

namespace sluice {

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

/// How connections end: orderly, at once, by a deadline, or with the server.
class ConnectionLife {
  public:
    struct Wiring {
        Commons& commons;
        SessionHost& host;
        ConnectionTable& table;
        ServeList& serve_list;
        Deadlines& deadlines;
        Workers& workers;
        Questions& questions;
        const AddressLimits& addresses;
    };
    explicit ConnectionLife(const Wiring& wiring) : to_(wiring) {}

    /// Writes what is queued, then closes. No more input is looked at.
    void finish(Connection& connection);
    /// All that is queued has been written: our side is shut down.
    void linger(Connection& connection);
    /// Closes at once. It is still there, and settled in a later turn.
    void abort(Connection& connection);
    /// What is left to do for a connection that is closed: a worker is told, messages are waited for. Then it
    /// is destroyed.
    void settle(Connection& connection);
    /// Without telling anybody.
    void destroy(Connection& connection);

    /// The server drains: it ends as soon as what has begun is answered.
    void stop(Connection& connection);
    /// One of its deadlines has passed.
    void expired(Connection& connection);

  private:
    void move_to(Connection& connection, Phase phase);
    void close_socket(Connection& connection);

    const Wiring to_;
};

}  // namespace sluice
