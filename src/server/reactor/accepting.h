#pragma once

#include <cstdint>
#include <memory>
#include <sys/socket.h>
#include <vector>

#include "core/unique_fd.h"
#include "server/reactor/descriptor_reserve.h"

namespace sluice {

struct Address;
class AddressLimits;
class ConnectionLife;
class Reclaiming;
class ConnectionTable;
class Poller;
class SessionHost;
class SharedLayout;
struct Commons;

/// Accepts a reactor's connections: its listeners, and which connections are admitted.
class Accepting {
  public:
    struct Wiring {
        const SharedLayout& layout;
        unsigned reactor;
        Commons& commons;
        SessionHost& host;
        Poller& poller;
        ConnectionTable& table;
        AddressLimits& addresses;
        ConnectionLife& life;
        Reclaiming& reclaiming;
    };
    explicit Accepting(const Wiring& wiring);

    void add(uint16_t endpoint, UniqueFd fd);
    /// Connections already in the listener's backlog are served.
    void remove(uint16_t endpoint);
    void remove_all();

    /// Clients wait at the listener in this place; the place is the number in its token.
    void ready(size_t place);

    /// How long a listener rests when there are no descriptors left.
    static constexpr uint64_t kPauseMs = 100;
    bool is_resting() const { return again_ms_ != 0; }
    /// Rests for kPauseMs, so that others get the descriptors that become free.
    void rest_all();
    /// Polls the listeners again whose rest is over.
    void wake();

  private:
    struct Listener {
        UniqueFd fd;
        uint16_t endpoint;
        bool resting = false;  ///< out of descriptors: not polled until again_ms_
    };

    void accept_from(Listener& listener);
    UniqueFd next(const Listener& listener, sockaddr_storage& peer);
    void rest(Listener& listener);
    void tell_of_failure(int error);
    size_t clients_elsewhere() const;
    void open(UniqueFd fd, const Address& peer, uint16_t endpoint);

    const Wiring to_;
    DescriptorReserve reserve_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    uint64_t again_ms_ = 0;
    uint64_t failures_ = 0;
};

}  // namespace sluice
