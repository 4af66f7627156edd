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
/// an address with one. Known addresses, whose clients take their answers, and conversations have most of the
/// turns, one of kTurns is for those whom nobody knows. Clients that had sent their request before they had
/// the answer to the last one take turns of their own, one of kTurns: they never stop waiting, and whoever
/// asks once in a while would wait for a turn of each. Those of whom nobody may await an answer any more wait
/// behind all others. Who is to be served in this turn waits for nobody, except that those who send many
/// frames at once stand aside: a crowd of them would make the turn long for who sends one.
class ServeList {
  public:
    ServeList(const ConnectionTable& table, const Transport& transport, const Debts& debts)
        : table_(table), transport_(transport), debts_(debts) {}

    /// The connection is served in this turn, or in the next one once serve_scheduled() has begun; or, when
    /// it stands aside, in one of the next.
    void schedule(Connection& connection) {
        // Whoever has gone since does not stand aside any longer: it holds a place in the table.
        if (connection.scheduled && connection.phase != Phase::kGone) return;
        connection.scheduled = true;
        if (connection.phase == Phase::kOpen && sends_much(connection)) {
            aside_.push_back(connection.id);
        } else {
            scheduled_.push_back(connection.id);
        }
    }
    /// How many serve_scheduled() would serve now.
    size_t due() const { return scheduled_.size(); }
    /// The connection is short of memory or of a worker.
    void wait_for_resources(Connection& connection) {
        if (connection.waiting) return;
        connection.waiting = true;
        // Who waits for the end of his own messages stands in nobody's way.
        if (!connection.held_up) lines_of(connection).add(connection.client_key(), connection.id);
    }
    /// What the connection was held up by is over.
    void let_go(Connection& connection) {
        connection.held_up = false;
        connection.waiting = false;
        schedule(connection);
    }
    static bool sends_much(const Connection& connection) { return connection.at_once > kMuchAtOnce; }
    bool has_aside() const { return !aside_.empty(); }
    /// Whether the client had sent the connection's next request before it had the answer to the last one.
    static bool is_ahead(const Connection& connection) {
        return connection.runs_ahead && connection.phase == Phase::kOpen &&
               !connection.session->is_conversation();
    }
    /// Whether the connection's new requests have to wait because others do: those of its address, or, when
    /// it is ahead of its answers, anybody.
    bool has_turn_to_await(const Connection& connection) const {
        const uint64_t key = connection.client_key();
        return is_ahead(connection) ? has_first() : known_.has(key) || first_.has(key);
    }
    /// Whether this connection's request is one of the last, and others are to be served before it.
    bool comes_later(const Connection& connection) const {
        return is_last(connection) && (has_first() || !transport_.has_leisure());
    }
    /// Whether a connection may have several requests begun: while nobody of another address waits, and it is
    /// not one of the last.
    bool may_run_ahead(const Connection& connection) const {
        return !has_others(connection) && last_.empty() && !is_last(connection);
    }
    /// Whether the client does not wait for its answers, and somebody of another address waits.
    bool is_of_crowd(const Connection& connection) const {
        return is_ahead(connection) && has_others(connection);
    }
    bool has_scheduled() const { return !scheduled_.empty() || !aside_.empty(); }
    bool has_waiting() const { return has_first() || !last_.empty(); }
    /// So many wait that what was read of each, and is kept until its turn, adds up.
    bool has_crowd() const { return known_.size() + first_.size() + ahead_.size() + last_.size() > kCrowd; }

    /// has_crowd(), and not all of it is this client's: a proxy that nobody has named is everybody.
    bool has_crowd_beside(uint64_t client) const {
        return has_crowd() && !(known_.has_none_but(client) && first_.has_none_but(client) &&
                                ahead_.has_none_but(client) && last_.has_none_but(client));
    }

    /// Calls `serve(Connection&)` for the connections that are scheduled by now, except for those aside.
    template <typename Serve>
    void serve_scheduled(Serve serve) {
        taken_.swap(scheduled_);
        for (ConnectionId id : taken_)
            serve_one(id, serve);
        taken_.clear();
    }
    /// The same for those that stand aside, the longest first: one, and more for as long as `goes_on()`.
    template <typename Serve, typename GoesOn>
    void serve_aside(Serve serve, GoesOn goes_on) {
        for (size_t left = aside_.size(); left; --left) {
            const ConnectionId id = aside_.front();
            aside_.pop_front();
            serve_one(id, serve);
            if (!goes_on()) break;
        }
    }
    /// Serves up to `most` connections that wait: one of each address in turn, the longest waiting first. Of
    /// kTurns turns, one is of those whom nobody knows and one of those who are ahead of their answers, if
    /// others wait. Before serve_scheduled(): who has just come takes no room that they have waited for.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve) {
        Round rounds[] = {{known_, most}, {first_, most}, {ahead_, most}};
        for (size_t tries = 0; tries < most; ++tries) {
            Round* round = &rounds[turn_ < kTurns - 2 ? 0 : turn_ - (kTurns - 3)];
            if (!round->goes_on())
                round = std::find_if(rounds, std::end(rounds), [](const Round& it) { return it.goes_on(); });
            if (round == std::end(rounds)) break;
            --round->left;
            // There may be room for one at a time, so turns go on with the next call.
            const Served served = serve_next(round->lines, serve);
            if (served == Served::kYes) turn_ = (turn_ + 1) % kTurns;
            round->in_vain = served == Served::kInVain ? round->in_vain + 1 : 0;
        }
    }

    /// Serves the last, when nobody else waits, and as long as the workers have little to do.
    template <typename Serve>
    void serve_last(Serve serve) {
        size_t in_vain = 0;
        for (size_t left = last_.size(); left && in_vain < kMostInVain; --left) {
            if (has_first() || !transport_.has_leisure()) break;
            in_vain = serve_next(last_, serve) == Served::kInVain ? in_vain + 1 : 0;
        }
        // Those that were closed meanwhile stay in their lines until it is their turn, which may be never.
        if (last_.size() > 2 * table_.size()) last_.keep([this](ConnectionId id) { return table_.find(id); });
    }

    /// When so many in succession have to go on waiting, the others are not tried in this turn.
    static constexpr size_t kMostInVain = 32;
    static constexpr size_t kTurns = 4;
    static constexpr size_t kCrowd = 256;
    static constexpr size_t kMuchAtOnce = 16;

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

    /// What is left of a turn for some lines.
    struct Round {
        Round(Lines& lines, size_t most) : lines(lines), left(std::min(most, lines.size())) {}
        Lines& lines;
        size_t left;
        size_t in_vain = 0;
        bool goes_on() const { return left && in_vain < kMostInVain; }
    };

    template <typename Serve>
    void serve_one(ConnectionId id, Serve serve) {
        Connection* connection = table_.find(id);
        if (!connection) return;
        connection->scheduled = false;
        serve(*connection);
    }
    enum class Served { kYes, kNobody, kInVain };

    /// Serves the next one of these lines; kInVain when it has to go on waiting.
    template <typename Serve>
    Served serve_next(Lines& lines, Serve serve) {
        const ConnectionId id = lines.take();
        Connection* connection = table_.find(id);
        if (!connection) return Served::kNobody;
        connection->waiting = false;
        if (&lines != &last_ && is_last(*connection)) {
            wait_for_resources(*connection);
            return Served::kNobody;
        }
        serve(*connection);
        return table_.find(id) != connection || !connection->waiting ? Served::kYes : Served::kInVain;
    }
    static bool is_known(const Connection& connection) {
        return connection.known || connection.session->is_conversation();
    }
    bool is_last(const Connection& connection) const {
        if (connection.phase != Phase::kOpen || connection.session->is_conversation()) return false;
        return connection.peer_shut || debts_.owes(connection.address_key);
    }

    Lines& lines_of(const Connection& connection) {
        if (is_last(connection)) return last_;
        if (is_ahead(connection)) return ahead_;
        return is_known(connection) ? known_ : first_;
    }
    bool has_others(const Connection& connection) const {
        const uint64_t key = connection.client_key();
        return !known_.has_none_but(key) || !first_.has_none_but(key) || !ahead_.has_none_but(key);
    }
    bool has_first() const { return !known_.empty() || !first_.empty() || !ahead_.empty(); }

    const ConnectionTable& table_;
    const Transport& transport_;
    const Debts& debts_;
    std::vector<ConnectionId> scheduled_;
    std::deque<ConnectionId> aside_;  ///< scheduled, too
    size_t turn_ = 0;                 ///< of kTurns
    Lines known_;
    Lines first_;
    Lines ahead_;
    Lines last_;
    std::vector<ConnectionId> taken_;  ///< connections that are being served
};

}  // namespace sluice
