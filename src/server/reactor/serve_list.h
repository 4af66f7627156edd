#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "server/reactor/connection_table.h"

namespace sluice {

/// Which connections are to be served: in this turn, or again when memory or a worker may have become free.
/// Connections that wait have turns by address: an address with a thousand connections is served as often as
/// an address with one.
class ServeList {
  public:
    explicit ServeList(const ConnectionTable& table) : table_(table) {}

    /// The connection is served in this turn, or in the next one once serve_scheduled() has begun.
    void schedule(Connection& connection) {
        if (connection.scheduled) return;
        connection.scheduled = true;
        scheduled_.push_back(connection.id);
    }
    /// The connection is short of memory or of a worker.
    void wait_for_resources(Connection& connection) {
        if (connection.waiting) return;
        connection.waiting = true;
        const uint64_t key = key_of(connection);
        Line& line = lines_[key];
        if (line.empty()) turns_.push_back(key);
        line.push_back(connection.id);
    }
    /// Whether connections of the same address wait already.
    bool has_turn_to_await(const Connection& connection) const {
        return has_waiting() && lines_.contains(key_of(connection));
    }
    bool has_scheduled() const { return !scheduled_.empty(); }
    bool has_waiting() const { return !turns_.empty(); }

    /// Calls `serve(Connection&)` for the connections that are scheduled by now.
    template <typename Serve>
    void serve_scheduled(Serve serve) {
        taken_.swap(scheduled_);
        for (ConnectionId id : taken_) {
            Connection* connection = table_.find(id);
            if (!connection) continue;
            connection->scheduled = false;
            serve(*connection);
        }
        taken_.clear();
    }
    /// Serves up to `most` connections that wait: one of each address in turn, the longest waiting first.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve) {
        while (taken_.size() < most && has_waiting())
            taken_.push_back(take_waiting());
        for (ConnectionId id : taken_) {
            Connection* connection = table_.find(id);
            if (!connection) continue;
            connection->waiting = false;
            serve(*connection);
        }
        taken_.clear();
    }

  private:
    using Line = std::deque<ConnectionId>;

    /// A connection whose address nobody knows has a line for itself.
    static uint64_t key_of(const Connection& connection) {
        return connection.address_key ? connection.address_key : connection.id;
    }
    ConnectionId take_waiting() {
        const uint64_t key = turns_.front();
        turns_.pop_front();
        const auto line = lines_.find(key);
        const ConnectionId id = line->second.front();
        line->second.pop_front();
        if (line->second.empty()) {
            lines_.erase(line);
        } else {
            turns_.push_back(key);
        }
        return id;
    }

    const ConnectionTable& table_;
    std::vector<ConnectionId> scheduled_;
    std::deque<uint64_t> turns_;                ///< of addresses that have a line
    std::unordered_map<uint64_t, Line> lines_;  ///< who waits, by address; no line is empty
    std::vector<ConnectionId> taken_;           ///< connections that are being served
};

}  // namespace sluice
