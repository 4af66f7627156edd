#pragma once

#include <cstdint>

namespace sluice {

class ConnectionTable;
class Publishing;
class Questions;
struct Command;
struct Connection;

/// Finds out what workers ask: who has subscribed to what, and when there is room for more.
class Answers {
  public:
    Answers(Questions& questions, Publishing& publishing, const ConnectionTable& table)
        : questions_(questions), publishing_(publishing), table_(table) {}

    /// A kAsk.
    void answer(int worker, const Command& command);

  private:
    void count_subscribers(int worker, const Command& command);
    void tell_topics(int worker, const Command& command);
    void await_room(int worker, const Command& command);

    Questions& questions_;
    Publishing& publishing_;
    const ConnectionTable& table_;
};

}  // namespace sluice
