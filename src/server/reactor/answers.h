#pragma once

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionTable;
class Publishing;
class Questions;
struct Command;
struct Commons;
namespace command {
struct Attach;
struct AwaitRoom;
struct CountSubscribers;
struct ListSubscribers;
struct ListTopics;
}  // namespace command

/// Answers workers' questions: who has subscribed to what, when a queue has room, and whether data was
/// attached.
class Answers {
  public:
    Answers(Commons& commons, Questions& questions, Publishing& publishing, const ConnectionTable& table)
        : commons_(commons), questions_(questions), publishing_(publishing), table_(table) {}

    void answer(int worker, const Command& question);

  private:
    void count_subscribers(int worker, const command::CountSubscribers& asked);
    void list_subscribers(int worker, const command::ListSubscribers& asked);
    void list_topics(int worker, ConnectionId id, const command::ListTopics& asked);
    void await_room(int worker, ConnectionId id, const command::AwaitRoom& asked);
    void attach(int worker, const Command& question, const command::Attach& asked);

    Commons& commons_;
    Questions& questions_;
    Publishing& publishing_;
    const ConnectionTable& table_;
};

}  // namespace sluice
