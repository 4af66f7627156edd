#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/seam/messages.h"

namespace sluice {

class Transport;
struct Connection;

/// Workers' questions to one reactor: answers that wait for room in a ring, and workers that wait for room in
/// a connection's queue. Workers are not trusted, so both are bounded, for each worker by itself. What
/// exceeds the bound is lost, which costs only its own asker, whose wait has a deadline.
class Questions {
  public:
    /// A question about room in a connection's queue.
    struct Room {
        int worker;
        uint32_t number;      ///< of the question
        uint64_t most_bytes;  ///< what may still be queued
    };

    void answer(int worker, uint32_t number, std::string_view payload, bool more_follow = false);
    bool has_answers() const { return answers_ > 0; }
    /// Sends as many answers as the workers' rings have room for.
    void send_answers(Transport& transport);

    void await_room(ConnectionId id, const Room& room);
    /// Answers questions whose `most_bytes` is reached; returns whether others go on waiting.
    bool answer_about_room(ConnectionId id, size_t queued_bytes);
    /// Answers questions about this connection, whose queue has become shorter, or which has ended.
    void answer_about_room(Connection& connection);
    /// Drops the questions of a dead worker.
    void worker_gone(int worker);

    size_t waiting() const { return waiting_; }

    // Of one worker. More than its coroutines ask, unless `Limits::coroutines` was raised.
    static constexpr size_t kMostWaiting = 16384;
    static constexpr size_t kMostAnswers = 16384;
    static constexpr size_t kMostAnswerBytes = 4u << 20;

  private:
    struct Answer {
        uint32_t number;
        bool more_follow;
        std::string payload;
    };
    struct Asker {
        std::deque<Answer> answers;
        size_t answer_bytes = 0;
        size_t waiting = 0;
        uint32_t cut_off = 0;  ///< the question whose answer has lost a part, while more of it come; 0: none
    };

    Asker& asker(int worker);

    std::vector<Asker> askers_;  ///< by worker
    size_t answers_ = 0;
    std::unordered_map<ConnectionId, std::vector<Room>> rooms_;
    size_t waiting_ = 0;
};

}  // namespace sluice
