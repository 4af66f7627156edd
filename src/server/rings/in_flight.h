#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "server/seam/messages.h"

namespace sluice {

/// A message that a worker has and has not finished, as its reactor knows it.
struct InFlight {
    static constexpr uint32_t kNoPage = UINT32_MAX;
    static constexpr uint64_t kNowhere = UINT64_MAX;
    static constexpr uint64_t kNoFile = UINT64_MAX;

    uint64_t begin = 0;  ///< position of its record in the ring
    uint64_t end = 0;
    ConnectionId connection = kNoConnection;
    uint32_t request = 0;  ///< its number, when it is one
    uint32_t extent_page = kNoPage;
    uint32_t payload_bytes = 0;
    InboundKind kind = InboundKind::kMessage;
    uint16_t endpoint = 0;
    bool secure = false;
    bool trusted = false;
    uint64_t file = kNoFile;  ///< the number of its body's file
    bool held = false;        ///< has left the ring, or is to: the worker says when it is finished
    uint64_t aside =
        kNowhere;  ///< held, and set aside before it began: where its record stands in the worker's out-arena
};

/// What one worker has in flight from one reactor. A message is finished when the worker gives its space in
/// the ring back, in order; or, when the worker has said before that it holds the message longer, when it
/// says so.
class InFlightTable {
  public:
    /// `most_held`: an honest worker has no more messages at a time than that.
    explicit InFlightTable(size_t most_held = SIZE_MAX) : most_held_(most_held) {}

    /// In the order of their positions.
    void add(const InFlight& message) { ring_.push_back(message); }
    size_t size() const { return ring_.size() - leaving_ + held_.size(); }
    bool empty() const { return size() == 0; }

    // Named by the end of their record. False when there is no such message, or it cannot be so.

    /// It stays when its space is given back. `aside`: where its record stands until it begins, or kNowhere
    /// when it has begun.
    bool hold(uint64_t end, uint64_t aside);
    /// A held one is finished; `connection` is whose it was.
    bool finish(uint64_t end, ConnectionId& connection);

    /// The worker has given the space before `consumed` back. Calls `on_finished(ConnectionId)`.
    template <typename F>
    void pass(uint64_t consumed, F on_finished) {
        while (!ring_.empty() && ring_.front().end <= consumed) {
            const InFlight message = ring_.front();
            ring_.pop_front();
            if (message.held) {
                --leaving_;
            } else {
                on_finished(message.connection);
            }
        }
    }

    /// All of them, in the order of their positions; afterwards there are none.
    std::vector<InFlight> take_all();

  private:
    size_t most_held_;
    std::deque<InFlight> ring_;
    std::unordered_map<uint64_t, InFlight> held_;  ///< by end
    size_t leaving_ = 0;                           ///< of `ring_`, those in `held_`
};

}  // namespace sluice
