#pragma once

#include <deque>

#include "io/address.h"
#include "server/seam/payload.h"

namespace sluice {

/// Datagrams on their way out of one socket, sent many with one system call.
class UdpQueue {
  public:
    static constexpr unsigned kBatch = 64;

    void add(const Address& to, Ref<Payload> datagram);
    /// Sends in order what the socket takes; true when that was all. What the kernel refuses (no route, a
    /// port of 0) is given up and counted in `refused`.
    bool flush(int fd, uint64_t& refused, uint64_t& sent_bytes);

    size_t count() const { return waiting_.size(); }
    /// What they take up; an empty datagram is not nothing.
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
