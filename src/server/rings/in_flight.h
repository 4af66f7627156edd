#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "server/seam/messages.h"
#include "server/seam/worker_places.h"

namespace sluice {

/// A message that a worker has and has not finished, as recorded by its reactor.
struct InFlight {
    static constexpr uint32_t kNoPage = UINT32_MAX;
    static constexpr uint64_t kNowhere = UINT64_MAX;
    static constexpr uint64_t kNoFile = UINT64_MAX;

    uint64_t begin = 0;  ///< position of its record in the ring
    uint64_t end = 0;
    ConnectionId connection = kNoConnection;
    uint32_t request = 0;  ///< the request's number; 0 for other messages
    uint32_t extent_page = kNoPage;
    uint32_t payload_bytes = 0;
    InboundKind kind = InboundKind::kMessage;
    uint16_t endpoint = 0;
    bool secure = false;
    bool trusted = false;
    uint64_t file = kNoFile;  ///< the number of the request body's file
    uint64_t client = 0;      ///< whose place it takes; see places_of_worker()
    bool held = false;        ///< has left or will leave the ring: the worker reports its end
    uint64_t parked =
        kNowhere;  ///< parked before it began: where its record stands in the worker's parked arena
};

/// The messages of one reactor that one worker has in flight. A message is finished when the worker gives its
/// space in the ring back, in order. A held message (note::Hold, note::Park) gives its space back
/// earlier, and is finished by note::Finished.
class InFlightTable {
  public:
    /// `most_held`: an honest worker never holds more messages. `places`: so many of these are for messages
    /// of this reactor.
    explicit InFlightTable(size_t most_held = SIZE_MAX, size_t places = SIZE_MAX)
        : most_held_(most_held), places_(places) {}

    /// Call it in the order of the records' positions.
    void add(const InFlight& message) {
        ring_.push_back(message);
        ++added_;
    }
    /// Of all that were ever added, those that the worker has begun, up to `taken`.
    uint64_t begun(uint64_t taken) const { return added_ - unbegun(taken); }
    size_t size() const { return ring_.size() - leaving_ + held_.size(); }
    bool empty() const { return size() == 0; }
    /// Whether at least so many messages end behind `taken`, up to where the worker has begun.
    bool has_unbegun(size_t count, uint64_t taken) const {
        return ring_.size() >= count && ring_[ring_.size() - count].end > taken;
    }
    /// Whether the worker has a place for a further message of this client, should its handler wait.
    /// Up to `taken` the worker has begun.
    bool has_place_for(uint64_t client, uint64_t taken) const {
        return sluice::has_place_for(places_, client, ring_.size() - leaving_, unbegun(taken));
    }
    /// Whether it has places enough, whoever the client is.
    bool has_places() const { return has_place_for_anybody(places_, ring_.size() - leaving_); }
    /// The end of the message in the middle of those that end behind `taken`; 0: there are none.
    uint64_t middle_behind(uint64_t taken) const;

    // Messages are named by their record's end. False: no such message, or not in this state.

    /// The message outlives its space in the ring. `parked`: where its record stands until it begins;
    /// kNowhere: it has begun.
    bool hold(uint64_t end, uint64_t parked);
    /// A held message is finished; `connection` becomes its connection.
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

    /// Takes all messages, in the order of their positions.
    std::vector<InFlight> take_all();

  private:
    /// How many messages end behind `taken`.
    size_t unbegun(uint64_t taken) const;

    size_t most_held_;
    Budget places_;  ///< of `held_`
    std::deque<InFlight> ring_;
    std::unordered_map<uint64_t, InFlight> held_;  ///< by end
    size_t leaving_ = 0;                           ///< how many of `ring_` are in `held_`
    uint64_t added_ = 0;
};

}  // namespace sluice
