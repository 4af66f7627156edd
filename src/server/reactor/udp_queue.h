#pragma once

#include <deque>

#include "io/address.h"
#include "server/seam/payload.h"

namespace sluice {

/// Datagrams to be sent by one socket, many with one system call.
class UdpQueue {
  public:
    static constexpr unsigned kBatch = 64;

    void add(const Address& to, Ref<Payload> datagram);
    /// Sends in order as much as the socket takes; true when nothing is left. A datagram that the kernel
    /// refuses (no route, a port of 0) is dropped and counted in `refused`.
    bool flush(int fd, uint64_t& refused, uint64_t& sent_bytes);

    size_t count() const { return waiting_.size(); }
    /// Their memory; an empty datagram counts as well.
    size_t bytes() const { return bytes_; }

  private:
    struct Waiting {
        Address to;
        Ref<Payload> datagram;
        size_t cost() const { return sizeof(Waiting) + datagram->size(); }
    };
    void drop_first();

    std::deque<Waiting> waiting_;
    size_t bytes_ = 0;
};

}  // namespace sluice
