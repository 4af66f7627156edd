#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/unique_fd.h"

namespace sluice {

struct Address;
class AddressLimits;
class ConnectionLife;
class ConnectionTable;
class Poller;
class ServeList;
class SessionHost;
class SharedLayout;
struct Commons;

/// How a reactor comes by its connections: its listeners, and who of those that come may stay.
class Accepting {
  public:
    struct Wiring {
        const SharedLayout& layout;
        unsigned reactor;
        const Commons& commons;
        SessionHost& host;
        Poller& poller;
        ConnectionTable& table;
        ServeList& serve_list;
        AddressLimits& addresses;
        ConnectionLife& life;
    };
    explicit Accepting(const Wiring& wiring) : to_(wiring) {}

    void add(uint16_t endpoint, UniqueFd fd);
    /// What the kernel has accepted for it already is served.
    void remove(uint16_t endpoint);
    void remove_all();

    /// Clients wait at the listener in this place, which its token named.
    void ready(size_t place);

    /// A listener rests when there are no descriptors left; how long to sleep at most then.
    static constexpr uint64_t kPauseMs = 100;
    bool is_resting() const { return again_ms_ != 0; }
    /// Leaves the descriptors that become free to somebody else for as long.
    void rest_all();
    /// Listens again where the time for that has come.
    void wake();

  private:
    struct Listener {
        UniqueFd fd;
        uint16_t endpoint;
        bool resting = false;  ///< out of descriptors: not polled until again_ms_
    };

    void accept_from(Listener& listener);
    void rest(Listener& listener);
    void tell_of_failure(int error);
    size_t clients_elsewhere() const;
    void open(UniqueFd fd, const Address& peer, uint16_t endpoint);

    const Wiring to_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    uint64_t again_ms_ = 0;
    uint64_t failures_ = 0;
};

}  // namespace sluice
