#pragma once

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionTable;
class Publishing;
class Questions;
struct Command;
namespace command {
struct AwaitRoom;
struct CountSubscribers;
struct ListTopics;
}  // namespace command

/// Finds out what workers ask: who has subscribed to what, and when there is room for more.
class Answers {
  public:
    Answers(Questions& questions, Publishing& publishing, const ConnectionTable& table)
        : questions_(questions), publishing_(publishing), table_(table) {}

    void answer(int worker, const Command& question);

  private:
    void count_subscribers(int worker, const command::CountSubscribers& asked);
    void list_topics(int worker, ConnectionId id, const command::ListTopics& asked);
    void await_room(int worker, ConnectionId id, const command::AwaitRoom& asked);

    Questions& questions_;
    Publishing& publishing_;
    const ConnectionTable& table_;
};

}  // namespace sluice
