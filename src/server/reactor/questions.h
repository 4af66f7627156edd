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
/// a connection's queue. Workers are not trusted, so both are bounded. What exceeds the bound is lost, which
/// costs only its own asker, whose wait has a deadline.
class Questions {
  public:
    /// A question about room in a connection's queue.
    struct Room {
        int worker;
        uint32_t number;      ///< of the question
        uint64_t most_bytes;  ///< what may still be queued
    };

    void answer(int worker, uint32_t number, std::string_view payload, bool more_follow = false);
    bool has_answers() const { return !answers_.empty(); }
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

    static constexpr size_t kMostWaiting = 65536;
    static constexpr size_t kMostAnswers = 65536;
    static constexpr size_t kMostAnswerBytes = 16u << 20;

  private:
    struct Answer {
        int worker;
        uint32_t number;
        bool more_follow;
        std::string payload;
    };

    std::deque<Answer> answers_;
    size_t answer_bytes_ = 0;
    std::unordered_map<ConnectionId, std::vector<Room>> rooms_;
    size_t waiting_ = 0;
};

}  // namespace sluice
