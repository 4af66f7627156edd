#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "core/unique_fd.h"
#include "io/poller.h"
#include "server/observer/admin_connection.h"
#include "server/observer/observer.h"

namespace sluice {

/// The loop of the observer: accepts clients of the admin listener, and answers them one after the other.
class AdminServer {
  public:
    /// Beyond it the client that has been idle for longest loses its place; with none idle nobody is
    /// accepted.
    static constexpr size_t kMostConnections = 64;

    /// Without a listener it hears the master alone.
    AdminServer(Observer& observer, UniqueFd listener);

    /// Until the master is gone.
    void serve();

  private:
    static constexpr uint64_t kMasterToken = 0, kListenerToken = 1, kFirstConnection = 2;

    void accept_all(uint64_t now_ms);
    bool make_room();
    void turn(uint64_t token, uint64_t now_ms);
    int next_timeout_ms(uint64_t now_ms) const;

    Observer& observer_;
    AdminGate gate_;
    UniqueFd listener_;
    Poller poller_;
    std::map<uint64_t, std::unique_ptr<AdminConnection>> connections_;  ///< by token
    uint64_t next_token_ = kFirstConnection;
    bool accepts_ = true;
};

}  // namespace sluice
