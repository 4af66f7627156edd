#pragma once

#include <cstdint>
#include <vector>

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionLife;
class ConnectionTable;
struct Commons;
struct Connection;

/// Whoever makes others wait by not reading is cut off: when more waits for clients than may and somebody
/// else wants to be served, those go first who hold most for longest.
class SlowReaders {
  public:
    struct Wiring {
        Commons& commons;
        ConnectionTable& table;
        ConnectionLife& life;
    };
    explicit SlowReaders(const Wiring& wiring) : to_(wiring) {}

    /// Once per turn, after what can be sent was sent.
    void cut_off();

    /// What those who wait are expected to bear with: clients that do read may be done by then.
    static constexpr uint64_t kPatienceMs = 250;

  private:
    struct Candidate {
        uint64_t weight;
        ConnectionId id;
        bool operator<(const Candidate& other) const { return weight < other.weight; }
    };
    uint64_t weight_of(const Connection& connection) const;
    void cut_off(Connection& connection);

    const Wiring to_;
    std::vector<Candidate> candidates_;
    uint64_t cut_ = 0;
};

}  // namespace sluice
