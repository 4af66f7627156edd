#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "server/reactor/connection_table.h"

namespace sluice {

/// Which connections are to be served in this turn: those that something has happened to.
///
/// Nobody waits for anybody here, except that those who send many frames at once are deferred: a crowd of
/// them would make the turn long for who sends one.
class ServeList {
  public:
    explicit ServeList(const ConnectionTable& table) : table_(table) {}

    /// The connection is served in this turn, or in the next one once serve_scheduled() has begun; or, when
    /// it is deferred, in one of the next.
    void schedule(Connection& connection) {
        // Whoever has gone since is not deferred any longer: it holds a place in the table.
        if (connection.scheduled && connection.phase != Phase::kGone) return;
        connection.scheduled = true;
        if (connection.phase == Phase::kOpen && sends_much(connection)) {
            deferred_.push_back(connection.id);
        } else {
            scheduled_.push_back(connection.id);
        }
    }
    /// How many serve_scheduled() would serve now.
    size_t due() const { return scheduled_.size(); }
    static bool sends_much(const Connection& connection) { return connection.at_once > kMuchAtOnce; }
    bool has_deferred() const { return !deferred_.empty(); }
    bool has_scheduled() const { return !scheduled_.empty() || !deferred_.empty(); }

    /// Calls `serve(Connection&)` for the connections that are scheduled by now, except for those that are
    /// deferred.
    template <typename Serve>
    void serve_scheduled(Serve serve) {
        taken_.swap(scheduled_);
        for (ConnectionId id : taken_)
            serve_one(id, serve);
        taken_.clear();
    }
    /// The same for those that are deferred, the longest first: one, and more for as long as `goes_on()`.
    template <typename Serve, typename GoesOn>
    void serve_deferred(Serve serve, GoesOn goes_on) {
        for (size_t left = deferred_.size(); left; --left) {
            const ConnectionId id = deferred_.front();
            deferred_.pop_front();
            serve_one(id, serve);
            if (!goes_on()) break;
        }
    }
    static constexpr size_t kMuchAtOnce = 16;

  private:
    template <typename Serve>
    void serve_one(ConnectionId id, Serve serve) {
        Connection* connection = table_.find(id);
        if (!connection) return;
        connection->scheduled = false;
        serve(*connection);
    }
    const ConnectionTable& table_;
    std::vector<ConnectionId> scheduled_;
    std::deque<ConnectionId> deferred_;  ///< scheduled, too
    std::vector<ConnectionId> taken_;    ///< connections that are being served
};

}  // namespace sluice
