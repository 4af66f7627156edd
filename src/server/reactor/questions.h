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

/// What workers have asked one reactor: answers that are to be told, and those who wait for room in what is
/// queued for a connection. Who asks is not trusted, so both are bounded: what would be more gets lost, which
/// only costs its own asker, whose wait has a deadline.
class Questions {
  public:
    /// One who waits for room.
    struct Room {
        int worker;
        uint32_t number;      ///< of the question
        uint64_t most_bytes;  ///< what may still be queued
    };

    void answer(int worker, uint32_t number, std::string_view payload, bool more_follow = false);
    bool has_answers() const { return !answers_.empty(); }
    /// As many as the workers' rings have room for.
    void send_answers(Transport& transport);

    void await_room(ConnectionId id, const Room& room);
    /// Answers those who can do with as much as is queued now; whether some go on waiting.
    bool answer_about_room(ConnectionId id, size_t queued_bytes);
    /// Answers those who wait for this connection, which may have less queued than before, or have ended.
    void answer_about_room(Connection& connection);
    /// It asks no more.
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
