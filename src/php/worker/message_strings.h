#pragma once

#include <vector>

#include "php/zend/php_api.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

/// Turns the payloads of messages into PHP strings, and keeps account of those that PHP still holds in
/// extents.
///
/// A string in an extent has a reference of the engine's own beside those of PHP. So its count never falls
/// below one in PHP's hands: every write separates first, and nothing frees or reallocates the extent. A
/// count of one means that PHP has let go.
class MessageStrings {
  public:
    /// Above `lent_limit` bytes held by PHP, payloads in extents are copied.
    MessageStrings(WorkerPort& port, uint64_t lent_limit) : port_(&port), lent_limit_(lent_limit) {}

    /// The payload as a string with one reference, the caller's.
    zend_string* take(const Inbound& message);

    /// After the handler, when the caller has dropped its reference: gives the extent back, or notes it as
    /// lent.
    void settle(const Inbound& message, const zend_string* taken);

    /// Gives back some of what PHP has let go of meanwhile: a bounded number, going round.
    void sweep_some();
    /// Gives back all that PHP has let go of meanwhile.
    void sweep();

    /// From here on nothing is given back; `port` is what there is instead.
    void abandon(WorkerPort& port);

    bool empty() const { return lent_.empty(); }
    /// In extents of messages that were taken and not given back, the one being handled included.
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
