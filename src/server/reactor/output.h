#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/seam/connection_id.h"

namespace sluice {

class Admission;
class ConnectionLife;
class ConnectionTable;
class Deadlines;
class Questions;
class SessionHost;
struct Commons;
struct Connection;

/// Brings bytes to clients. What is queued in a turn is written at its end, with one system call for each
/// client; a stream's bytes go when the connection that carries it asks for them.
class Output {
  public:
    struct Wiring {
        Commons& commons;
        SessionHost& host;
        const ConnectionTable& table;
        const Admission& admission;
        Deadlines& deadlines;
        Questions& questions;
        ConnectionLife& life;
    };
    explicit Output(const Wiring& wiring) : to_(wiring) {}

    /// Call it when bytes were queued, or when the queue is complete.
    void wants_flush(Connection& connection);
    /// Its socket may take bytes again.
    void takes_more(Connection& connection);
    bool has_work() const { return !dirty_.empty(); }
    /// Writes as much as the sockets take.
    void flush();

    /// The connection that carries the stream has written `bytes` of it.
    void stream_progressed(Connection& stream, size_t bytes);
    /// The connection that carries the stream has written its last bytes and its end.
    void stream_sent(Connection& stream);

    uint64_t bytes_sent() const { return bytes_sent_; }

  private:
    void flush(Connection& connection);
    void write(Connection& connection);
    void stream_wants_flush(Connection& stream);
    void note_queued(Connection& connection);

    const Wiring to_;
    std::vector<ConnectionId> dirty_, flushing_;
    std::vector<ConnectionId> starved_;  ///< their files had no budget left: first in the next turn
    size_t file_budget_ = 0;             ///< bytes of files that this turn may still read
    uint64_t bytes_sent_ = 0;
};

}  // namespace sluice
