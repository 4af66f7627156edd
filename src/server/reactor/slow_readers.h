#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionLife;
class ConnectionTable;
struct Commons;
struct Connection;

/// Cuts off clients that make others wait by not reading: when more waits than may and somebody else wants to
/// be served, or when the reserve is used up. The address that holds most for longest loses its worst
/// client first.
class SlowReaders {
  public:
    struct Wiring {
        Commons& commons;
        ConnectionTable& table;
        ConnectionLife& life;
    };
    explicit SlowReaders(const Wiring& wiring) : to_(wiring) {}

    /// Once per turn, after everything was sent that sockets take.
    void cut_off();

    /// A client that has taken nothing for so long does not read: its memory may be given to others.
    static constexpr uint64_t kPatienceMs = 250;
    /// How long a client may take nothing when the reserve is used up.
    static constexpr uint64_t kOverrunPatienceMs = 50;
    /// Least time between two looks through all connections.
    static constexpr uint64_t kPauseMs = 10;

  private:
    struct Candidate {
        uint64_t weight;
        ConnectionId id;
        bool operator<(const Candidate& other) const { return weight < other.weight; }
    };
    /// The candidates of one address.
    struct Holder {
        uint64_t weight = 0;  ///< of all candidates together
        std::vector<Candidate> candidates;
        bool operator<(const Holder& other) const { return weight < other.weight; }
    };
    uint64_t behind_ms(const Connection& connection) const;
    uint64_t find_holders(uint64_t patience_ms);
    void cut_off_heaviest();
    void cut_off(Connection& connection);

    const Wiring to_;
    std::vector<Holder> holders_;                  ///< empty between turns
    std::unordered_map<uint64_t, size_t> places_;  ///< in `holders_`, by address
    uint64_t looked_ms_ = 0;
    uint64_t cut_ = 0;
};

}  // namespace sluice
