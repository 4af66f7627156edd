#pragma once

#include <algorithm>
#include <vector>

#include "server/reactor/connection_table.h"

namespace sluice {

/// Which connections are to be served: in this turn, or again when memory or a worker may have become free.
class ServeList {
  public:
    explicit ServeList(const ConnectionTable& table) : table_(table) {}

    /// It is served in this turn, or in the next one if that is under way.
    void schedule(Connection& connection) {
        if (connection.scheduled) return;
        connection.scheduled = true;
        scheduled_.push_back(connection.id);
    }
    /// It is short of memory or of a worker.
    void wait_for_resources(Connection& connection) {
        if (connection.waiting) return;
        connection.waiting = true;
        waiting_.push_back(connection.id);
    }
    bool has_scheduled() const { return !scheduled_.empty(); }
    bool has_waiting() const { return !waiting_.empty(); }

    /// Calls `serve(Connection&)` for those that are scheduled by now.
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
    /// Serves up to `most` of those that wait, who has waited longest first.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve) {
        const auto end = waiting_.begin() + static_cast<ptrdiff_t>(std::min(waiting_.size(), most));
        taken_.assign(waiting_.begin(), end);
        waiting_.erase(waiting_.begin(), end);
        for (ConnectionId id : taken_) {
            Connection* connection = table_.find(id);
            if (!connection) continue;
            connection->waiting = false;
            serve(*connection);
        }
        taken_.clear();
    }

  private:
    const ConnectionTable& table_;
    std::vector<ConnectionId> scheduled_, waiting_;
    std::vector<ConnectionId> taken_;  ///< those that are being served
};

}  // namespace sluice
