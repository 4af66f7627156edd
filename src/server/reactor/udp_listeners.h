#pragma once

#include <memory>
#include <vector>

#include "io/datagram_socket.h"
#include "io/poller.h"
#include "server/config/endpoints.h"
#include "server/reactor/udp_queue.h"
#include "server/seam/messages.h"
#include "server/seam/shared_layout.h"
#include "server/seam/transport.h"

namespace sluice {

struct Limits;

/// The UDP sockets of one reactor. A datagram that finds no worker, no memory or no room in the queue is
/// dropped and counted.
class UdpListeners {
  public:
    /// `reactor`: the owner's number. The caller owns `endpoints`, and may change it.
    UdpListeners(const SharedLayout& layout, unsigned reactor, const Limits& limits,
                 const std::shared_ptr<const Endpoints>& endpoints, Poller& poller);

    void add(uint16_t endpoint, UniqueFd fd);
    void remove(uint16_t endpoint);
    /// Receives nothing more; answers are still sent.
    void stop_receiving();

    /// The poller has reported the socket in this place (see PollToken).
    void ready(size_t place, uint32_t events, Transport& transport);
    /// A worker's command::SendDatagram; `memory_full`: the total of queues is full.
    void send(const Command& command, Ref<Payload> payload, bool memory_full);
    void flush();
    /// Whether flush() has something to do: the reactor must not sleep before.
    bool wants_flush() const;

    /// Whether it is the udp_id() of a listener of this reactor.
    bool is_mine(ConnectionId id) const { return reactor_of(id) == reactor_ && is_udp_id(id); }
    /// The handler of a datagram with this id has ended, or its worker has died.
    void finished(ConnectionId id);
    /// No datagram is in flight, and nothing waits to be sent.
    bool is_empty() const;

    uint64_t received() const { return received_; }
    uint64_t received_bytes() const { return received_bytes_; }
    uint64_t sent_bytes() const { return sent_bytes_; }

  private:
    struct Listener {
        UniqueFd fd;
        uint16_t endpoint;
        uint8_t family;
        uint32_t lost;         ///< the kernel's count of datagrams that it had no room for
        bool blocked = false;  ///< the socket is full
        size_t in_flight = 0;  ///< datagrams that workers have
        UdpQueue queue;
    };
    void poll_for(size_t place);
    void receive(Listener& listener, Transport& transport);
    bool deliver(Listener& listener, const DatagramReceiver::Datagram& datagram, Transport& transport);
    void flush(size_t place);
    size_t most_in_flight(uint16_t endpoint) const;
    Listener* find(uint16_t endpoint);
    enum class Why : uint8_t { kBusyWorkers, kUnread, kFullQueue, kRefused, kCount };
    void drop(Why why, uint64_t count = 1);
    void publish();

    const SharedLayout& layout_;
    const unsigned reactor_;
    const std::shared_ptr<const Endpoints>& endpoints_;
    const size_t most_arena_bytes_, most_queued_bytes_, spared_ring_bytes_;
    Poller& poller_;
    DatagramReceiver receiver_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    size_t in_flight_ = 0;  ///< of all listeners, including removed ones
    uint64_t received_ = 0, received_bytes_ = 0, sent_bytes_ = 0;
    uint64_t dropped_[static_cast<size_t>(Why::kCount)] = {};
    bool receiving_ = true;
};

}  // namespace sluice
