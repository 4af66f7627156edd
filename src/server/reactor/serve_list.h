#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "server/reactor/connection_table.h"
#include "server/seam/transport.h"

namespace sluice {

/// Which connections are to be served: in this turn, or again when memory or a worker may have become free.
///
/// Connections that wait have turns by address: an address with a thousand connections is served as often as
/// an address with one. They wait in four lines, each of which has one of kTurns turns:
/// - requests of known addresses, whose clients take their answers;
/// - requests of those whom nobody knows;
/// - requests of clients that had sent them before they had the answer to the last one: they never stop
///   waiting, and whoever asks once in a while would wait for a turn of each;
/// - all that is no new request: messages of conversations, and what waits for memory.
/// Where no worker takes a request of anybody, those of the first three lines keep their turns; the last line
/// goes on, for workers may be waiting for it.
///
/// A client that has closed its side waits as any other, and so does whoever shares its address.
///
/// Who is to be served in this turn waits for nobody, except that those who send many frames at once stand
/// aside: a crowd of them would make the turn long for who sends one.
class ServeList {
  public:
    ServeList(const ConnectionTable& table, Transport& transport) : table_(table), transport_(transport) {}

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
        return connection.runs_ahead && is_request(connection);
    }
    /// Whether the connection's new requests have to wait because others do: those of its address, or, when
    /// it is ahead of its answers, anybody.
    bool has_turn_to_await(const Connection& connection) const {
        const uint64_t key = connection.client_key();
        if (is_ahead(connection)) return has_waiting();
        if (is_request(connection)) return known_.has(key) || first_.has(key);
        return connection.session->is_conversation() && others_.has(key);
    }
    /// Whether a connection may have several requests begun: while nobody of another address waits.
    bool may_run_ahead(const Connection& connection) const { return !has_others(connection); }
    /// Whether the client does not wait for its answers, and somebody of another address waits.
    bool is_of_crowd(const Connection& connection) const {
        return is_ahead(connection) && has_others(connection);
    }
    bool has_scheduled() const { return !scheduled_.empty() || !aside_.empty(); }
    bool has_waiting() const {
        return !known_.empty() || !others_.empty() || !first_.empty() || !ahead_.empty();
    }
    /// So many wait that what was read of each, and is kept until its turn, adds up.
    bool has_crowd() const { return known_.size() + others_.size() + first_.size() + ahead_.size() > kCrowd; }

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
    /// Serves up to `most` connections that wait: one of each address in turn, the longest waiting first.
    /// Before serve_scheduled(): who has just come takes no room that they have waited for.
    template <typename Serve>
    void serve_waiting(size_t most, Serve serve) {
        Round rounds[kTurns] = {{known_, most}, {others_, most}, {first_, most}, {ahead_, most}};
        for (size_t tries = 0; tries < most; ++tries) {
            Round* round = &rounds[turn_];
            if (!round->goes_on())
                round = std::find_if(rounds, std::end(rounds), [](const Round& it) { return it.goes_on(); });
            if (round == std::end(rounds)) break;
            --round->left;
            // There may be room for one at a time, so turns go on with the next call.
            const Served served = serve_next(round->lines, serve);
            if (served == Served::kYes) turn_ = (turn_ + 1) % kTurns;
            round->in_vain = served == Served::kInVain ? round->in_vain + 1 : 0;
            if (served != Served::kFull) continue;
            for (Round& of_requests : rounds)
                if (&of_requests.lines != &others_) of_requests.left = 0;
        }
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
        /// A connection that was taken and has just been added again is the first again.
        void put_back(uint64_t key, ConnectionId id) {
            const auto line = lines_.find(key);
            if (line == lines_.end() || line->second.back() != id) return;
            line->second.pop_back();
            line->second.push_front(id);
            turns_.erase(std::find(turns_.rbegin(), turns_.rend(), key).base() - 1);
            turns_.push_front(key);
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
    enum class Served { kYes, kNobody, kInVain, kFull };

    /// Serves the next one of these lines; kInVain when it has to go on waiting, kFull when all requests
    /// have.
    template <typename Serve>
    Served serve_next(Lines& lines, Serve serve) {
        const ConnectionId id = lines.take();
        Connection* connection = table_.find(id);
        if (!connection) return Served::kNobody;
        connection->waiting = false;
        serve(*connection);
        if (table_.find(id) != connection || !connection->waiting) return Served::kYes;
        // Whoever is tried in vain lets the next one try. But where no worker takes a request of anybody, all
        // keep their turns: the room that comes next would go to the same address again and again.
        if (&lines == &others_ || transport_.takes_requests()) return Served::kInVain;
        lines.put_back(connection->client_key(), id);
        return Served::kFull;
    }
    /// Whether what comes next on the connection begins a request.
    static bool is_request(const Connection& connection) {
        return connection.phase == Phase::kOpen && connection.session->begins_request() &&
               !(connection.tls() && !connection.tls()->is_ready());
    }
    Lines& lines_of(const Connection& connection) {
        if (is_ahead(connection)) return ahead_;
        if (!is_request(connection)) return others_;
        return connection.known ? known_ : first_;
    }
    bool has_others(const Connection& connection) const {
        const uint64_t key = connection.client_key();
        return !known_.has_none_but(key) || !others_.has_none_but(key) || !first_.has_none_but(key) ||
               !ahead_.has_none_but(key);
    }

    const ConnectionTable& table_;
    Transport& transport_;
    std::vector<ConnectionId> scheduled_;
    std::deque<ConnectionId> aside_;  ///< scheduled, too
    size_t turn_ = 0;                 ///< of kTurns
    Lines known_;
    Lines others_;
    Lines first_;
    Lines ahead_;
    std::vector<ConnectionId> taken_;  ///< connections that are being served
};

}  // namespace sluice
