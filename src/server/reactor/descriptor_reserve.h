#pragma once

#include <algorithm>
#include <cstdint>

#include "server/seam/shared_layout.h"

namespace sluice {

struct Limits;

/// The descriptors that a process's connections leave to what needs some for a short time: files that are
/// sent, bodies of requests, what other processes pass to it. The kernel gives the lowest free number, so a
/// connection with one of the last numbers would touch the reserve. Each reactor of a process has this object
/// for itself: the numbers are the process's.
class DescriptorReserve {
  public:
    /// How many the limits of one process allow beside its connections.
    static uint64_t wanted(const Limits& limits, const SharedLayout::Shape& shape);
    /// Of so many that connections could have. A part at most: under a low limit there must be some for them,
    /// too.
    static uint64_t of(uint64_t wanted, uint64_t free);
    /// How many so many connections and their reserve need.
    static uint64_t with(uint64_t wanted, uint64_t connections);

    /// Made before there are connections: what is open by then is not theirs.
    explicit DescriptorReserve(uint64_t wanted);

    /// Looks at the limit of this process, which others may change at any time.
    void look();
    /// Whether so few connections of one reactor may have any number, whatever has the numbers before it:
    /// what the application itself has opened since, in base mode.
    bool are_few(uint64_t connections) const {
        return connections < std::min(kFew, (end_ - std::min(others_, end_)) / 4);
    }
    /// Whether accept() may give a number of the reserve. False can be wrong when others take many at once.
    bool is_near() const { return last_ + kNear >= end_; }
    /// Whether the next descriptor would be of the reserve, or there is none. `fd`: any that is open.
    bool is_next(int fd);
    /// Whether a new connection's is.
    bool has(int fd);

  private:
    static constexpr uint64_t kNear = 64, kFew = 16;

    const uint64_t wanted_;
    uint64_t others_;    ///< descriptors that were open before
    uint64_t end_ = 0;   ///< of the numbers of connections
    uint64_t last_ = 0;  ///< the number seen last
};

}  // namespace sluice
