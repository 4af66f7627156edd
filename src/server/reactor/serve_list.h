#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "server/reactor/connection_table.h"
#include "server/reactor/debts.h"
#include "server/seam/transport.h"

namespace sluice {

/// Which connections are to be served: in this turn, or again when memory or a worker may have become free.
/// Connections that wait have turns by address: an address with a thousand connections is served as often as
/// an address with one. Those of whom nobody may await an answer any more wait behind all others.
class ServeList {
  public:
    ServeList(const ConnectionTable& table, const Transport& transport, const Debts& debts)
        : table_(table), transport_(transport), debts_(debts) {}

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
        (is_last(connection) ? last_ : first_).add(key_of(connection), connection.id);
    }
    /// Whether connections of the same address wait already.
    bool has_turn_to_await(const Connection& connection) const { return first_.has(key_of(connection)); }
    /// Whether this connection's request is one of the last, and others are to be served before it.
    bool comes_later(const Connection& connection) const {
        return is_last(connection) && (!first_.empty() || !transport_.has_leisure());
    }
    /// Whether a connection may have several requests begun: while nobody of another address waits, and it is
    /// not one of the last.
    bool may_run_ahead(const Connection& connection) const {
        return first_.has_none_but(key_of(connection)) && last_.empty() && !is_last(connection);
    }
    bool has_scheduled() const { return !scheduled_.empty(); }
    bool has_waiting() const { return !first_.empty() || !last_.empty(); }

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
    /// Serves up to `most` connections that wait: one of each address in turn, the longest waiting first. The
    /// last are served when nobody else waits, and as long as the workers have little to do.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve) {
        for (size_t left = std::min(most, first_.size()), in_vain = 0; left && in_vain < kMostInVain; --left)
            in_vain = is_served(first_, serve) ? 0 : in_vain + 1;
        serve_last(serve);
    }

    /// When so many in succession have to go on waiting, the others are not tried in this turn.
    static constexpr size_t kMostInVain = 32;

  private:
    /// Connections that wait, in a line for each address.
    class Lines {
      public:
        bool empty() const { return turns_.empty(); }
        size_t size() const { return size_; }
        bool has(uint64_t key) const { return lines_.contains(key); }
        bool has_none_but(uint64_t key) const {
            return turns_.empty() || (turns_.size() == 1 && turns_.front() == key);
        }
        void add(uint64_t key, ConnectionId id) {
            std::deque<ConnectionId>& line = lines_[key];
            if (line.empty()) turns_.push_back(key);
            line.push_back(id);
            ++size_;
        }
        ConnectionId take() {
            const uint64_t key = turns_.front();
            turns_.pop_front();
            const auto line = lines_.find(key);
            const ConnectionId id = line->second.front();
            line->second.pop_front();
            --size_;
            if (line->second.empty()) {
                lines_.erase(line);
            } else {
                turns_.push_back(key);
            }
            return id;
        }

        template <typename IsKept>
        void keep(IsKept is_kept) {
            Lines kept;
            for (; !empty();) {
                const uint64_t key = turns_.front();
                const ConnectionId id = take();
                if (is_kept(id)) kept.add(key, id);
            }
            *this = std::move(kept);
        }

      private:
        std::deque<uint64_t> turns_;                                    ///< of addresses that have a line
        std::unordered_map<uint64_t, std::deque<ConnectionId>> lines_;  ///< none is empty
        size_t size_ = 0;
    };

    /// Serves the next one of these lines; false when it has to go on waiting.
    template <typename Serve>
    bool is_served(Lines& lines, Serve serve) {
        const ConnectionId id = lines.take();
        Connection* connection = table_.find(id);
        if (!connection) return true;
        connection->waiting = false;
        if (&lines == &first_ && is_last(*connection)) {
            wait_for_resources(*connection);
            return true;
        }
        serve(*connection);
        return table_.find(id) != connection || !connection->waiting;
    }
    template <typename Serve>
    void serve_last(Serve serve) {
        size_t in_vain = 0;
        for (size_t left = last_.size(); left && in_vain < kMostInVain; --left) {
            if (!first_.empty() || !transport_.has_leisure()) break;
            in_vain = is_served(last_, serve) ? 0 : in_vain + 1;
        }
        // Those that were closed meanwhile stay in their lines until it is their turn, which may be never.
        if (last_.size() > 2 * table_.size()) last_.keep([this](ConnectionId id) { return table_.find(id); });
    }

    /// A connection whose address nobody knows has a line for itself.
    static uint64_t key_of(const Connection& connection) {
        return connection.address_key ? connection.address_key : connection.id;
    }
    bool is_last(const Connection& connection) const {
        if (connection.phase != Phase::kOpen || connection.session->is_conversation()) return false;
        return connection.peer_shut || debts_.owes(connection.address_key);
    }

    const ConnectionTable& table_;
    const Transport& transport_;
    const Debts& debts_;
    std::vector<ConnectionId> scheduled_;
    Lines first_;
    Lines last_;
    std::vector<ConnectionId> taken_;  ///< connections that are being served
};

}  // namespace sluice
