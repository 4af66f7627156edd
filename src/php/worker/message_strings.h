#pragma once

#include <vector>

#include "php/zend/php_api.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

/// Turns messages' payloads into PHP strings, and tracks strings in extents that PHP still refers
/// to.
///
/// A string in an extent has one reference of this class beside those of PHP. So PHP never sees a count of
/// one: every write separates first, and nothing frees or reallocates the extent. A count of one means that
/// PHP has dropped the string.
class MessageStrings {
  public:
    /// Above `lent_limit` bytes held by PHP, payloads in extents are copied.
    MessageStrings(WorkerPort& port, uint64_t lent_limit) : port_(&port), lent_limit_(lent_limit) {}

    /// The payload as a string with one reference, the caller's.
    zend_string* take(const Inbound& message);

    /// Whether a taken payload still stands where it came to: the message could go to another worker.
    static bool is_in_place(const Inbound& message, const zend_string* taken);
    /// Call it after the handler, when the caller has dropped its reference: gives the extent back, or notes
    /// it as lent.
    void settle(const Inbound& message, const zend_string* taken);

    /// Gives back extents that PHP has dropped meanwhile; checks a bounded number, round-robin.
    void sweep_some();
    /// Gives back all extents that PHP has dropped meanwhile.
    void sweep();

    /// From here on nothing is given back; `port` replaces the old port.
    void abandon(WorkerPort& port);

    bool empty() const { return lent_.empty(); }
    /// Bytes in extents that were taken and not given back, including the message being handled.
    size_t lent_bytes() const { return lent_bytes_; }

  private:
    /// Looks at one lent extent; true when it was given back and another one has taken its place.
    bool reclaim(size_t index);
    void give_back(const Inbound& message);
    void account(ptrdiff_t bytes);

    WorkerPort* port_;
    const uint64_t lent_limit_;
    std::vector<Inbound> lent_;  ///< whose handlers have ended
    size_t lent_bytes_ = 0;
    size_t next_ = 0;
};

}  // namespace sluice::php
