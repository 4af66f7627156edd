#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "server/sharing/reclaimer.h"

namespace sluice {

class Admission;
class ConnectionLife;
class ConnectionTable;
struct Commons;
struct Connection;
class SessionHost;

/// Closes connections so that others can be served: when there are too many of them, or of descriptors, when
/// what waits for those who do not read takes the memory of all, and when unfinished messages do. Here stands
/// who may be closed; of these the Reclaimer takes from the client that holds most.
class Reclaiming {
  public:
    struct Wiring {
        Commons& commons;
        ConnectionTable& table;
        const Admission& admission;
        SessionHost& host;
        ConnectionLife& life;
    };
    explicit Reclaiming(const Wiring& wiring) : to_(wiring) {}

    /// Closes some connections, so that another client can be accepted, and returns how many: those that
    /// nobody may be waiting on first, then the longest idle ones of whoever has most, never one in use. 0:
    /// none may be closed, or the last look was just now.
    size_t free_connections();
    /// Once per turn, after everything was sent that sockets take: when more waits than may and somebody else
    /// wants to be served, or when the reserve is used up, whoever holds most for longest is cut off.
    void free_memory();
    /// Once per turn: when somebody has waited for room in the arena for a while, and most of what is used
    /// belongs to messages that have not come whole, whoever holds most for such messages loses one of them.
    void free_arena();

    /// Least time between two looks through all connections; between two for connections, when the last one
    /// has found nothing.
    static constexpr uint64_t kPauseMs = 10;
    /// A connection on which nothing has come or gone for so long is idle.
    static constexpr uint64_t kIdleMs = 5000;
    /// How many are closed at a time: one look through all connections serves as many clients.
    static constexpr size_t kMostAtOnce = 32;
    /// Of clients that have left, this part of all connections: closing them costs nobody anything, and looks
    /// would take longer than all else when many come.
    static constexpr size_t kPartLeft = 16;
    /// A client that has taken nothing for so long does not read: its memory may be given to others.
    static constexpr uint64_t kPatienceMs = 250;
    /// How long a client may take nothing when the reserve is used up.
    static constexpr uint64_t kOverrunPatienceMs = 50;
    /// How long somebody waits for room in the arena before another's unfinished message makes way: longer
    /// than a whole message takes that comes without pauses.
    static constexpr uint64_t kArenaPatienceMs = 1000;
    /// Whoever waits gets room from those who hold this many times as much.
    static constexpr uint64_t kMuchMore = 2;

  private:
    /// What one client has of the arena for messages that have not come whole.
    struct Unfinished {
        uint64_t bytes = 0;
        size_t messages = 0;      ///< that have some of it
        bool has_waited = false;  ///< for more, longer than kArenaPatienceMs
        bool may_finish = false;  ///< one of them does not wait for room
    };
    /// Of what is closed to make room for connections: lower ones first.
    enum Rank : unsigned { kLeft, kIdle, kStuck, kInUse };
    Rank rank_of(const Connection& connection) const;
    uint64_t behind_ms(const Connection& connection) const;
    uint64_t find_slow_readers(uint64_t patience_ms);
    bool find_unfinished();
    void offer_unfinished();
    void cut_off(Connection& connection);
    void give_up_unfinished(Connection& connection);

    const Wiring to_;
    Reclaimer reclaimer_;  ///< empty between calls
    uint64_t looked_for_connections_ms_ = 0;
    uint64_t looked_for_memory_ms_ = 0;
    uint64_t looked_for_arena_ms_ = 0;
    std::unordered_map<Reclaimer::Key, Unfinished> unfinished_;  ///< by client; empty between calls
    uint64_t closed_ = 0;
    uint64_t cut_ = 0;
    uint64_t given_up_ = 0;
};

}  // namespace sluice
