#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionLife;
class ConnectionTable;
struct Commons;
struct Connection;

/// Whoever makes others wait by not reading is cut off: when more waits for clients than may and somebody
/// else wants to be served, those addresses come first that hold most for longest, and of their clients those
/// that do. So do they without anybody's wish when more waits than the reserve has room for.
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

    /// Who has taken nothing for so long does not read: others may have what it holds.
    static constexpr uint64_t kPatienceMs = 250;
    /// The same when there is no room at all.
    static constexpr uint64_t kOverrunPatienceMs = 50;
    /// All connections are looked through no more often than this.
    static constexpr uint64_t kPauseMs = 10;

  private:
    struct Candidate {
        uint64_t weight;
        ConnectionId id;
        bool operator<(const Candidate& other) const { return weight < other.weight; }
    };
    /// The candidates of one address.
    struct Holder {
        uint64_t weight = 0;  ///< of all together
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
