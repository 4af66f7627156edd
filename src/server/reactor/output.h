#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionLife;
class ConnectionTable;
class Deadlines;
class Questions;
class SessionHost;
struct Commons;
struct Connection;

/// How bytes get to clients: what is queued in a turn goes out at its end, with one system call for each of
/// them; what a stream has queued goes when what carries it asks for it.
class Output {
  public:
    struct Wiring {
        const Commons& commons;
        SessionHost& host;
        const ConnectionTable& table;
        Deadlines& deadlines;
        Questions& questions;
        ConnectionLife& life;
    };
    explicit Output(const Wiring& wiring) : to_(wiring) {}

    /// Something was put into its queue, or nothing will be.
    void wants_flush(Connection& connection);
    bool has_work() const { return !dirty_.empty(); }
    /// Writes what the sockets take.
    void flush();

    /// What carries the stream has written some of its bytes.
    void stream_progressed(Connection& stream, size_t bytes);
    /// All of them, and that they are all.
    void stream_sent(Connection& stream);

    uint64_t bytes_sent() const { return bytes_sent_; }

  private:
    void flush(Connection& connection);
    void write(Connection& connection);
    void stream_wants_flush(Connection& stream);

    const Wiring to_;
    std::vector<ConnectionId> dirty_, flushing_;
    std::vector<ConnectionId> starved_;  ///< to be flushed first in the next turn
    size_t file_budget_ = 0;             ///< bytes of files that this turn may still read
    uint64_t bytes_sent_ = 0;
};

}  // namespace sluice
